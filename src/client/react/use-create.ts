import { emptyGeneration } from '../empty-generation.ts';
import { useCallback, useMemo, useState } from 'react';
import type { RetryAdvice } from '../documents.generated.ts';
import type {
  CreateOptions,
  GenerateField,
  GenerateInputs,
  GenerationRun,
  GenerationView,
} from '../gengraph.ts';
import { useGengraph, useStore, useWith } from './context.ts';
import { createViewStore } from './view-store.ts';

/** SENDING: until the gateway has accepted the request. FAILED: refused, failed, or canceled. */
export type CreateStatus = 'IDLE' | 'SENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';

export interface Create<Field extends GenerateField> {
  /**
   * Sends a request. A second call with the same input is the same request until it has ended: a double click makes one
   * generation. Resolves when the request is accepted or refused, and never rejects.
   */
  create(
    input: GenerateInputs[Field],
    options?: Pick<CreateOptions, 'id' | 'attempt' | 'collection'>,
  ): Promise<GenerationView>;
  /** Of the last request. Null before the first. */
  readonly generation: GenerationView | null;
  readonly status: CreateStatus;
  /** What is wrong with a refused input, by the path of the field: `fieldErrors['messages.0.content']`. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  /**
   * What to do after a failure. SAFE, LATER and SAME_KEY: `create` with the same input repeats the request and charges once.
   * MAY_CHARGE_AGAIN: ask the user first.
   */
  readonly retry: RetryAdvice | null;
  /** Cancels the generation at the gateway. @returns what was kept */
  stop(): Promise<GenerationView>;
  /** Forgets the last request here. Nothing stops. */
  reset(): void;
}

/** Creates generations of one kind, such as `useCreate('createImage')`, and follows the last one. */
export function useCreate<Field extends GenerateField>(field: Field): Create<Field> {
  const gengraph = useGengraph();
  const [run, setRun] = useState<GenerationRun | null>(null);
  const store = useMemo(
    () => createViewStore<GenerationView>(emptyGeneration, run ? () => run : undefined),
    [run],
  );
  const view = useStore(store);
  const create = useCallback<Create<Field>['create']>(
    (input, options) => {
      const next = gengraph.generate(field, input, options);
      setRun(next);
      return findAccepted(next);
    },
    [gengraph, field],
  );
  const stop = useCallback(() => run?.stop() ?? Promise.resolve(emptyGeneration), [run]);
  const reset = useCallback(() => setRun(null), []);
  const state = useMemo(() => toState(run ? view : null), [run, view]);
  const actions = useMemo(() => ({ create, stop, reset }), [create, stop, reset]);
  return useWith(state, actions);
}

/** Its loop sends the request even if the component is unmounted at once. */
async function findAccepted(run: GenerationRun): Promise<GenerationView> {
  let last = emptyGeneration;
  for await (const view of run) {
    last = view;
    if (view.id !== null) break;
  }
  return last;
}

function toState(generation: GenerationView | null) {
  return {
    generation,
    status: toStatus(generation),
    fieldErrors: toFieldErrors(generation),
    retry: generation?.error?.retry ?? null,
  };
}

function toStatus(generation: GenerationView | null): CreateStatus {
  if (!generation) return 'IDLE';
  const { id, isEnded, error, status } = generation;
  if (!isEnded) return id === null ? 'SENDING' : 'RUNNING';
  return error || status === 'FAILED' || status === 'CANCELED' ? 'FAILED' : 'SUCCEEDED';
}

const noErrors = {};

function toFieldErrors(generation: GenerationView | null): Readonly<Record<string, string>> {
  const issues = generation?.error?.issues;
  if (!issues) return noErrors;
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = (path[0] === 'input' ? path.slice(1) : path).join('.');
    errors[name] = errors[name] === undefined ? message : `${errors[name]} ${message}`;
  }
  return errors;
}
