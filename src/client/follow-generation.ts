import { emptyGeneration, failGeneration } from './empty-generation.ts';
import { type GenerationFields, generationFields, taskFields } from './generation-view.ts';
import { type GenerationView, type TaskState, toGenerationItem } from './generation-view.ts';
import { runNonNull, startWait, toOutcome, watch } from './operate.ts';
import { type GengraphProblem, isTransient } from './problem.ts';
import { backoffMs, type ReconnectingClient } from './reconnecting.ts';
import type { ViewSink } from './views.ts';

interface TaskFields extends TaskState {
  readonly isTerminal: boolean;
  /** Null once it was removed. */
  readonly generation: GenerationFields | null;
}

export const taskText = `subscription TaskOf($id:ID!){taskProgress(id:$id){isTerminal ${taskFields}generation{${generationFields}}}}`;
/** A list, because null as the only field of an answer cannot be told from a failure. */
export const generationText = `query GenerationsOf($ids:[ID!]!){nodes(ids:$ids){...on Generation{${generationFields}}}}`;
export const endText =
  'query EndOf($id:ID!$timeoutSeconds:Int){awaitGeneration(by:{id:$id}timeoutSeconds:$timeoutSeconds){id}}';

const longestWaitSeconds = 300;

/** Follows a generation of any kind that exists, to its end. It costs nothing. @returns a function that stops */
export function followKnown(
  client: ReconnectingClient,
  id: string,
  sink: ViewSink<GenerationView>,
): () => void {
  let isLeft = false;
  let end = (): void => {};
  void readToEnd(client, id, { isLeft: () => isLeft, sink, onBegun: (next) => (end = next) });
  return () => {
    isLeft = true;
    end();
  };
}

interface Reader {
  readonly isLeft: () => boolean;
  readonly sink: ViewSink<GenerationView>;
  /** Gets a function that ends what has begun. */
  readonly onBegun: (end: () => void) => void;
}

/** Kinds without a task have no progress: only the end is worth waiting for. */
async function readToEnd(client: ReconnectingClient, id: string, { isLeft, sink, onBegun }: Reader) {
  let view: GenerationView = { ...emptyGeneration, id };
  for (let failures = 0; ;) {
    const { problem, value } = await runNonNull<readonly (GenerationFields | null)[]>(client, {
      query: generationText,
      variables: { ids: [id] },
    });
    if (isLeft()) return;
    if (value) {
      const [generation] = value;
      if (!generation) return sink.end(failView(view, notFound));
      if (generation.task && !generation.isTerminal) return onBegun(followTask(client, generation, sink));
      view = toGenerationItem(generation);
      if (view.isEnded) return sink.end(view);
      sink.push(view);
    } else if (!isTransient(problem)) return sink.end(failView(view, problem));
    const hasWaited = value !== undefined && (await waitForEnd(client, id, onBegun));
    failures = hasWaited ? 0 : failures + 1;
    if (failures > 0 && !isLeft())
      await new Promise<void>((resolve) => startWait(client, backoffMs(failures), resolve));
    if (isLeft()) return;
  }
}

/** @returns whether the server has answered. It does so after a time, too */
function waitForEnd(client: ReconnectingClient, id: string, onBegun: Reader['onBegun']): Promise<boolean> {
  return new Promise((resolve) => {
    const end = client.subscribe<Record<string, object | null>>(
      { query: endText, variables: { id, timeoutSeconds: longestWaitSeconds } },
      {
        next: (result) => resolve(Boolean(toOutcome(result).value)),
        error: () => resolve(false),
        complete: () => resolve(false),
      },
    );
    onBegun(end);
  });
}

const notFound = {
  code: 'NOT_FOUND',
  message: 'There is no generation with this id.',
  retry: 'NEVER',
  retryAfterSeconds: null,
} as const;

/** The last view, with why it cannot be followed. One that was never read has failed. */
function failView(view: GenerationView, error: GengraphProblem): GenerationView {
  return view.kind === null ? failGeneration(view, error) : { ...view, error, isEnded: true };
}

/** Follows the task of a generation, from the state that is known. */
export function followTask(
  client: ReconnectingClient,
  generation: GenerationFields,
  sink: ViewSink<GenerationView>,
): () => void {
  const { task } = generation;
  const known = toGenerationItem(generation);
  let view: GenerationView = { ...known, isEnded: known.isEnded || !task };
  if (view.isEnded || !task) {
    sink.end(view);
    return () => {};
  }
  sink.push(view);
  return watch<TaskFields>({
    client,
    operation: { query: taskText, variables: { id: task.id } },
    apply({ isTerminal, generation: changed, ...state }) {
      if (!changed) {
        sink.end(failView(view, notFound));
        return 'end';
      }
      const isNew = changed.status !== view.status || state.progress !== view.progress;
      view = { ...toGenerationItem(changed), ...state, isEnded: isTerminal };
      if (isTerminal) {
        sink.end(view);
        return 'end';
      }
      sink.push(view);
      return isNew ? 'new' : 'known';
    },
    fail: (error) => sink.end(failView(view, error)),
  });
}
