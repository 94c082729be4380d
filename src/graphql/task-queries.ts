import { RequestError } from '../errors.ts';
import type { Task } from '../store/records.ts';
import { isUpstreamId, taskIdOf } from '../tasks/task-kinds.ts';
import type { Graph } from './graph.ts';
import { requireCaller, toOperation } from './context.ts';
import { findTask } from './find-task.ts';
import { generationKindEnum } from './generation.ts';
import { assertIdCount, maxIds } from './node.ts';
import { taskRef } from './refs.ts';
import { watchTasks } from '../tasks/watch-tasks.ts';

function taskHandleInput({ builder, use }: Graph) {
  return builder.inputType('TaskHandleInput', {
    description: 'Names work at the gateway by the id that the gateway gave it.',
    fields: (t) => ({
      kind: t.field({
        type: use(generationKindEnum),
        required: true,
        description:
          'What kind of work it is, which decides where to ask. QUEUED_IMAGE, QUEUED_INPAINTING, SONG, SONG_COVER, MULTI_IMAGE_VIDEO and LIP_SYNC can be asked for by a raw id, and so can kinds for which the operator has named a read (GATEWAY_TASK_PATHS). Otherwise SPEECH, VIDEO, REFERENCE_VIDEO and TRANSITION_VIDEO are NOT_TRACKABLE, and ANIMATION and IMAGE_FILL unless they were created here. CHAT, IMAGE, CONTENT and SONG_SPEED have no tasks: null.',
      }),
      upstreamId: t.string({
        required: true,
        description:
          "The gateway's id of it (task id, request id): 1 to 500 visible ASCII characters without slashes.",
      }),
      model: t.string({
        description:
          'The model in the address of a read of QUEUED_IMAGE and QUEUED_INPAINTING (wire name `model_name`): the gateway finds it out when absent (`auto`). Leave it out for other kinds, and for work that was created here.',
      }),
    }),
  });
}

export function addTaskQueries({ builder, use }: Graph): void {
  builder.queryFields((t) => ({
    task: t.field({
      type: use(taskRef),
      nullable: true,
      description:
        'A task as it is now; null when neither the records nor the gateway know it. Aliases in one operation are read together.',
      args: { id: t.arg.id({ required: true, description: "The task's id." }) },
      resolve: (_root, { id }, context, info) => findTask(id, context, info),
    }),
    tasks: t.field({
      type: [use(taskRef)],
      nullable: { list: false, items: true },
      description: `Tasks as they are now, in the order of the ids, null where neither the records nor the gateway know one. At most ${maxIds}; read together.`,
      args: {
        ids: t.arg.idList({ required: true, description: `At most ${maxIds}; duplicates are read once.` }),
      },
      resolve: (_root, { ids }, context, info) => {
        requireCaller(context);
        assertIdCount(ids);
        return ids.map((id) => findTask(id, context, info));
      },
    }),
    taskByHandle: t.field({
      type: use(taskRef),
      nullable: true,
      description:
        'A task that was made elsewhere, by the raw id of the gateway; null when the gateway does not know it. Of a kind that cannot be asked for by id it is NOT_TRACKABLE, and its existence not proven. Aliases in one operation are read together.',
      args: {
        handle: t.arg({ type: use(taskHandleInput), required: true, description: 'Its kind and raw id.' }),
      },
      resolve: (_root, { handle }, context, info) => {
        const { kind, upstreamId, model } = handle;
        if (!isUpstreamId(upstreamId) || (typeof model === 'string' && !isUpstreamId(model))) {
          throw new RequestError(
            'BAD_REQUEST',
            'handle: upstreamId and model are 1 to 500 visible ASCII characters without slashes, and neither . nor ..',
          );
        }
        return findTask(taskIdOf({ kind, upstreamId, model: model ?? undefined }), context, info);
      },
    }),
  }));

  builder.subscriptionFields((t) => ({
    taskProgress: t.field({
      type: use(taskRef),
      description:
        'A task as it is now, then every change; completes when it is terminal, or at once when it is NOT_TRACKABLE.',
      args: { id: t.arg.id({ required: true, description: "The task's id." }) },
      subscribe: (_root, { id }, context) => watchTasks([id], toOperation(context)),
      resolve: (task: Task) => task,
    }),
    tasksProgress: t.field({
      type: use(taskRef),
      description: `Several tasks in one subscription: each as it is now, then every change; completes when each is terminal or NOT_TRACKABLE. At most ${maxIds} ids.`,
      args: {
        ids: t.arg.idList({
          required: true,
          description: `At most ${maxIds}; ids that nobody knows are left out; NOT_FOUND when that is all of them.`,
        }),
      },
      subscribe: (_root, { ids }, context) => {
        assertIdCount(ids);
        return watchTasks(ids, toOperation(context));
      },
      resolve: (task: Task) => task,
    }),
  }));
}
