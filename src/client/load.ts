import { type GengraphProblem, toProblem } from './problem.ts';
import { createViews, type ViewSink } from './views.ts';

const againMs = 5000;

/**
 * Views of a source whose code is loaded when the first loop begins. If it cannot be loaded, for example without a network,
 * `fail` gives a view that says so, and it is tried again.
 */
export function loadViews<View>(
  load: () => Promise<(sink: ViewSink<View>) => () => void>,
  fail: (problem: GengraphProblem) => View,
  signal?: AbortSignal,
): AsyncIterableIterator<View, undefined> {
  return createViews<View>(async (sink, isLeft) => {
    while (!isLeft())
      try {
        const start = await load();
        return start(sink);
      } catch (cause) {
        sink.push(fail(toProblem(cause)));
        await new Promise((resolve) => setTimeout(resolve, againMs));
      }
    return () => {};
  }, signal);
}
