import type { TaskLocation } from '../tasks/task-kinds.ts';
import type { Context } from './context.ts';
import type { Graph } from './graph.ts';

export function taskTrackingEnum({ builder }: Graph) {
  return builder.enumType('TaskTracking', {
    description: 'Whether the gateway can report the state of a task.',
    values: {
      POLLED: {
        description: 'The gateway has a status endpoint.',
      },
      NOT_TRACKABLE: {
        description: 'The gateway has no status endpoint.',
      },
    },
  } as const);
}

/** The tracking of a task, for `Task` and `Generation`. */
export function trackingOf(
  task: TaskLocation,
  _args: object,
  { engine }: Context,
): 'POLLED' | 'NOT_TRACKABLE' {
  return engine.tasks.isTrackable(task) ? 'POLLED' : 'NOT_TRACKABLE';
}
