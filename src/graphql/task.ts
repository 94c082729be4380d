import { isTerminal, type TaskLinks } from '../store/records.ts';
import type { Graph } from './graph.ts';
import { generationFailureRef, generationKindEnum, taskStatusEnum } from './generation.ts';
import { generationOutputRef } from './generation-output.ts';
import { nodeRef } from './node.ts';
import type { NodeType } from './node-types.ts';
import { findTask } from './find-task.ts';
import { generationRef, taskRef } from './refs.ts';

function taskTrackingEnum({ builder }: Graph) {
  return builder.enumType('TaskTracking', {
    description: 'Whether the gateway can be asked how far a task is.',
    values: {
      POLLED: { value: 'POLLED', description: 'It can, and is asked while somebody watches or reads.' },
      NOT_TRACKABLE: {
        value: 'NOT_TRACKABLE',
        description:
          'It cannot, as no way to ask is documented or known: what its first reply said is all that is known.',
      },
    },
  } as const);
}

function taskLinksRef({ builder }: Graph) {
  return builder.objectRef<TaskLinks>('TaskLinks').implement({
    description:
      'Addresses that the gateway gave for a task. What lies there may want a credential of the gateway.',
    fields: (t) => ({
      get: t.expose('get', {
        type: 'URL',
        nullable: true,
        description: 'Where its state or result is read. Wire names `get`, `response_url`.',
      }),
      status: t.expose('status', {
        type: 'URL',
        nullable: true,
        description: 'Where its state alone is read. Wire name `status_url`.',
      }),
      cancel: t.expose('cancel', {
        type: 'URL',
        nullable: true,
        description:
          'Where it is cancelled; `cancelGeneration` goes there. Wire names `cancel`, `cancel_url`.',
      }),
      stream: t.expose('stream', {
        type: 'URL',
        nullable: true,
        description: 'Where its events are read as they come. Wire name `stream`.',
      }),
      web: t.expose('web', {
        type: 'URL',
        nullable: true,
        description: 'A page for people. Wire name `web`.',
      }),
    }),
  });
}

export function addTask({ use }: Graph): void {
  use(taskRef).implement({
    description:
      'Work that ends later, in one form whatever the provider. Selecting only `id`, `kind`, `upstreamId`, `tracking`, `links`, `createdAt` and `generation` asks the gateway nothing.',
    interfaces: [use(nodeRef)],
    fields: (t) => ({
      id: t.exposeID('id', {
        description:
          'Describes itself: works on any instance, after a restart, and for work that was made elsewhere, where its kind can be asked for by id.',
      }),
      kind: t.expose('kind', { type: use(generationKindEnum), description: 'What kind of work it is.' }),
      upstreamId: t.exposeString('upstreamId', { description: 'The id that the gateway gave.' }),
      status: t.expose('status', { type: use(taskStatusEnum), description: 'How far it has come.' }),
      rawStatus: t.exposeString('rawStatus', {
        nullable: true,
        description: "The gateway's own word for the status; null where it used none.",
      }),
      isTerminal: t.boolean({
        description: 'Whether it will not change any more.',
        resolve: ({ status }) => isTerminal(status),
      }),
      tracking: t.field({
        type: use(taskTrackingEnum),
        description: 'Whether the gateway can be asked.',
        resolve: (task, _args, { engine }) => (engine.tasks.isTrackable(task) ? 'POLLED' : 'NOT_TRACKABLE'),
      }),
      progress: t.exposeFloat('progress', {
        nullable: true,
        description: '0 to 1: as reported; of predictions the last share that the model printed in its log.',
      }),
      queuePosition: t.exposeInt('queuePosition', {
        nullable: true,
        description: 'How many are before it in the queue, where reported.',
      }),
      logs: t.exposeString('logs', {
        nullable: true,
        description: 'What the model printed while it worked, where reported.',
      }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When it was made, as reported or recorded.',
      }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When its state was last seen to change.',
      }),
      lastReadAt: t.expose('lastReadAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the gateway last answered a read of it; null before the first.',
      }),
      isFollowed: t.boolean({
        description:
          'Whether the server polls it to its end, also when nobody watches. False when it is terminal or NOT_TRACKABLE, was created elsewhere, is too old (TASK_FOLLOW_HOURS), or the gateway refused the credential.',
        resolve: ({ owner, id }, _args, { engine }) => engine.poller.isFollowed(owner, id),
      }),
      model: t.string({
        nullable: true,
        description: 'The model that works on it, as the gateway names it.',
        resolve: ({ servedBy }) => servedBy?.model,
      }),
      modelVersion: t.string({
        nullable: true,
        description: "The model's version, where reported; may be the word `hidden`.",
        resolve: ({ servedBy }) => servedBy?.version,
      }),
      request: t.expose('request', {
        type: 'JSON',
        nullable: true,
        description:
          'The request as the gateway repeats it, with defaults filled in. Inline media from 512 characters on is replaced by its size and hash; shorter stays.',
      }),
      metrics: t.expose('metrics', {
        type: 'JSON',
        nullable: true,
        description: 'What the gateway measured of the work, such as times, as reported.',
      }),
      dataRemoved: t.boolean({
        nullable: true,
        description:
          'Whether the gateway has deleted input and output; null where it does not say. Wire name `data_removed`.',
        resolve: ({ isDataRemoved }) => isDataRemoved,
      }),
      output: t.expose('output', {
        type: use(generationOutputRef),
        nullable: true,
        description: 'What it made; may come in parts while it runs; null while there is nothing.',
      }),
      error: t.expose('error', {
        type: use(generationFailureRef),
        nullable: true,
        description: 'Why it did not succeed; null while it runs and where it did.',
      }),
      readFailure: t.expose('readFailure', {
        type: use(generationFailureRef),
        nullable: true,
        description:
          'Why the gateway could not be asked, or that it knows no such work (NOT_FOUND: it may have forgotten it); null once it answers again. The task itself may be well. A watch tells of passing failures only after half a minute, and goes on.',
      }),
      links: t.expose('links', {
        type: use(taskLinksRef),
        nullable: true,
        description: 'Addresses that the gateway gave for it.',
      }),
      generation: t.field({
        type: use(generationRef),
        nullable: true,
        description: 'The generation whose create made it; null for work that was made elsewhere.',
        resolve: async ({ generationId }, _args, context) =>
          generationId === undefined ? null : ((await context.loaders.generation.load(generationId)) ?? null),
      }),
      raw: t.expose('raw', {
        type: 'JSON',
        nullable: true,
        description:
          'The last reply as received. Inline media from 512 characters on is replaced by its size and hash; shorter stays.',
      }),
    }),
  });
}

export function addGenerationTask({ builder, use }: Graph): void {
  builder.objectField(use(generationRef), 'task', (t) =>
    t.field({
      type: use(taskRef),
      nullable: true,
      description:
        'The work at the gateway, read now unless it has ended; null for kinds whose reply is the result.',
      resolve: ({ taskId }, _args, context, info) =>
        taskId === undefined ? null : findTask(taskId, context, info),
    }),
  );
}

export const taskNode: NodeType = {
  prefix: 'task',
  typeName: 'Task',
  isEntity: true,
  find: async (id, context, info) => (await findTask(id, context, info)) ?? undefined,
};
