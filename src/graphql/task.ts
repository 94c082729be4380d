import { readFailureAdvice } from '../generations/failure.ts';
import type { TaskLinks } from '../store/records.ts';
import { sharedTime } from '../store/sharing.ts';
import { isTaskTerminal, shownTaskStatus } from '../tasks/shown-task-status.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';
import { generationFailureRef, generationKindEnum, taskStatusEnum } from './generation.ts';
import { generationOutputRef, showTaskOutput } from './generation-output.ts';
import { nodeRef } from './node.ts';
import type { NodeType } from './node-types.ts';
import { findTask } from './find-task.ts';
import { generationRef, taskRef } from './refs.ts';
import { taskTrackingEnum, trackingOf } from './task-tracking.ts';

function taskLinksRef({ builder }: Graph) {
  return builder.objectRef<TaskLinks>('TaskLinks').implement({
    description: 'URLs that the gateway returned. They may require the credential.',
    fields: (t) => ({
      get: t.expose('get', { type: 'URL', ...nullable('State or result.') }),
      status: t.expose('status', { type: 'URL', ...nullable('State only.') }),
      cancel: t.expose('cancel', {
        type: 'URL',
        ...nullable('Cancel endpoint, which `cancelGeneration` calls.'),
      }),
      stream: t.expose('stream', { type: 'URL', ...nullable('Event stream.') }),
      web: t.expose('web', { type: 'URL', ...nullable('Web page for people.') }),
    }),
  });
}

export function addTask(graph: Graph): void {
  const { use } = graph;
  use(taskRef).implement({
    description:
      'A long-running task. `id`, `kind`, `upstreamId`, `tracking`, `links`, `submittedAt`, `lastReadAt`, `isFollowed` and `generation` alone send no request to the gateway.',
    interfaces: [use(nodeRef)],
    fields: (t) => ({
      id: t.exposeID('id', {
        description: 'Opaque. Works on any instance.',
      }),
      kind: t.expose('kind', { type: use(generationKindEnum) }),
      upstreamId: t.exposeString('upstreamId', { description: 'Id at the gateway.' }),
      status: t.field({
        type: use(taskStatusEnum),
        resolve: (task, _args, { engine }) => shownTaskStatus(task, engine.tasks),
      }),
      rawStatus: t.exposeString('rawStatus', nullable("The gateway's status word, if any.")),
      isTerminal: t.boolean({
        description: 'Whether nothing more will be learned: it has ended, or is NOT_TRACKABLE.',
        resolve: (task, _args, { engine }) => isTaskTerminal(task, engine.tasks),
      }),
      tracking: t.field({
        type: use(taskTrackingEnum),
        resolve: trackingOf,
      }),
      progress: t.exposeFloat(
        'progress',
        nullable('From 0 to 1, as reported, or as in the log of a hosted model.'),
      ),
      queuePosition: t.exposeInt('queuePosition', nullable('Tasks ahead in the queue.')),
      logs: t.exposeString('logs', nullable('As reported.')),
      submittedAt: t.expose('createdAt', {
        type: 'DateTime',
        ...nullable('When the gateway accepted it, as reported or recorded.'),
      }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        ...nullable('Time of the last observed change.'),
      }),
      lastReadAt: t.field({
        type: 'DateTime',
        ...nullable('Last successful read from the gateway.'),
        resolve: async ({ owner, id, lastReadAt }, _args, { engine, loaders }) => {
          const polledAt = engine.poller.lastReadAt(owner, id);
          const polled = polledAt === undefined ? await loaders.polledTask.load(id) : undefined;
          return latest([lastReadAt, polledAt, polled?.lastReadAt]);
        },
      }),
      isFollowed: t.boolean({
        description:
          'Whether the server polls the task without a watcher, for 24 hours by default. Otherwise it changes only when read.',
        // A read can end the task before the poller's next round removes it.
        resolve: async (task, _args, { engine, loaders }) => {
          if (isTaskTerminal(task, engine.tasks)) return false;
          if (engine.poller.isFollowed(task.owner, task.id)) return true;
          const { followedUntil = 0 } = (await loaders.polledTask.load(task.id)) ?? {};
          return followedUntil > sharedTime(engine.store, engine.clock);
        },
      }),
    }),
  });
  addTaskResult(graph);
}

/** Its result and failures, and the reply that holds them. */
function addTaskResult(graph: Graph): void {
  const { builder, use } = graph;
  builder.objectFields(use(taskRef), (t) => ({
    model: t.string({
      ...nullable('As reported.'),
      resolve: ({ servedBy }) => servedBy?.model,
    }),
    modelVersion: t.string({
      ...nullable('May be `hidden`.'),
      resolve: ({ servedBy }) => servedBy?.version,
    }),
    request: t.expose('request', {
      type: 'JSON',
      ...nullable('Request with defaults, as the gateway echoes it.'),
    }),
    gatewayMetrics: t.expose('metrics', { type: 'JSON', ...nullable('As reported, such as durations.') }),
    isDataRemoved: t.exposeBoolean(
      'isDataRemoved',
      nullable('Whether the gateway has deleted input and output.'),
    ),
    output: t.field({
      type: use(generationOutputRef),
      ...nullable('The output so far.'),
      resolve: (task, _args, context) => showTaskOutput(graph, task, context),
    }),
    error: t.expose('error', {
      type: use(generationFailureRef),
      nullable: true,
    }),
    readFailure: t.field({
      type: use(generationFailureRef),
      ...nullable(
        'Why the last read failed or was postponed by `Retry-After`, until a read succeeds. The task may still succeed. Watches report a transient failure only after 30 seconds.',
      ),
      resolve: ({ readFailure }) => readFailure && { ...readFailure, retry: readFailureAdvice(readFailure) },
    }),
    links: t.expose('links', {
      type: use(taskLinksRef),
      nullable: true,
    }),
    generation: t.field({
      type: use(generationRef),
      ...nullable('The generation of this task. Null if none here has this id and kind.'),
      resolve: async ({ generationId }, _args, context) =>
        generationId === undefined ? null : ((await context.loaders.generation.load(generationId)) ?? null),
    }),
    raw: t.expose('raw', { type: 'JSON', ...nullable('Last reply.') }),
  }));
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

export function addGenerationTask({ builder, use }: Graph): void {
  builder.objectField(use(generationRef), 'task', (t) =>
    t.field({
      type: use(taskRef),
      ...nullable(
        'Read from the gateway unless terminal; in the answer of a create, as accepted. Null for kinds without tasks.',
      ),
      resolve: ({ taskId }, _args, context, info) =>
        taskId === undefined ? null : findTask(taskId, context, info),
    }),
  );
}

export const taskNode: NodeType = {
  prefix: 'task',
  typeName: 'Task',
  isEntity: true,
  find: async (id, context, info) => findTask(id, context, info),
};
