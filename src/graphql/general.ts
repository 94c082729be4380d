import { addAwaitGeneration } from './await-generation.ts';
import { addCancelGeneration } from './cancel.ts';
import type { Capability } from './capability.ts';
import { addConversation } from './conversation.ts';
import { addErrors } from './errors.ts';
import { addDeleteGenerations } from './delete-generations.ts';
import { generalOperations } from './general-operations.ts';
import { addGeneration, addGenerationQuery, generationNode } from './generation.ts';
import { addGenerationChanged } from './generation-changed.ts';
import { addGenerations } from './generations.ts';
import { addInputSchema } from './input-schema.ts';
import { addNodeQueries } from './node.ts';
import { addScalars } from './scalars.ts';
import { addGenerationTask, addTask, taskNode } from './task.ts';
import { addTaskQueries } from './task-queries.ts';
import { addUsageTotals } from './usage-totals.ts';
import { addCreateUpload } from './uploads.ts';
import { addViewer } from './viewer.ts';
import { addWebhooks } from './webhooks.ts';

/** The part of every schema that no capability owns: generations, tasks and nodes. */
export const general: Capability = {
  name: 'general',
  nodes: [generationNode, taskNode],
  operations: generalOperations,
  extend(graph) {
    addScalars(graph);
    addErrors(graph);
    addNodeQueries(graph);
    addGeneration(graph);
    addConversation(graph);
    addGenerationQuery(graph);
    addGenerations(graph);
    addAwaitGeneration(graph);
    addGenerationChanged(graph);
    addCancelGeneration(graph);
    addDeleteGenerations(graph);
    addTask(graph);
    addGenerationTask(graph);
    addTaskQueries(graph);
    addUsageTotals(graph);
    addViewer(graph);
    addInputSchema(graph);
    addWebhooks(graph);
    addCreateUpload(graph);
  },
};
