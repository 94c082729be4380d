import { emptyGeneration } from '../empty-generation.ts';
import { useCallback, useMemo, useState } from 'react';
import type { RetryAdvice } from '../documents.generated.ts';
import type {
  CreateOptions,
  GenerateField,
  GenerateInputs,
  GenerationRun,
  GenerationView,
  Gengraph,
} from '../gengraph.ts';
import { useGengraph, useStore, useWith } from './context.ts';
import { createViewStore, isEnded, type ViewStore } from './view-store.ts';

/**
 * SENDING: until the gateway has accepted the request. SUBMITTED: accepted, and the end is not known: the gateway cannot report it, or
 * this client is older than the server. FAILED: refused, failed, or canceled.
 */
export type CreateStatus = 'IDLE' | 'SENDING' | 'RUNNING' | 'SUBMITTED' | 'SUCCEEDED' | 'FAILED';

export interface Create<Field extends GenerateField> {
  /**
   * Sends a request. A second call with the same input is the same request until its end was seen here: a double click makes one
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
  /** Cancels the generation at the gateway. @returns what was kept. If it goes on: its last view, with why as `error` */
  stop(): Promise<GenerationView>;
  /** Forgets the last request here. Nothing stops. */
  reset(): void;
}

/** Creates generations of one kind, such as `useCreate('createImage')`, and follows the last one. */
export function useCreate<Field extends GenerateField>(field: Field): Create<Field> {
  const gengraph = useGengraph();
  const [last, setSent] = useState<Sent | null>(null);
  const sent = last?.gengraph === gengraph && last.field === field ? last : null;
  const store = useMemo(
    () => sent?.store ?? createViewStore<GenerationView>(emptyGeneration, undefined),
    [sent],
  );
  const view = useStore(store);
  const create = useCallback<Create<Field>['create']>(
    (input, options) => {
      const run = gengraph.generate(field, input, options);
      const store = createViewStore<GenerationView>(emptyGeneration, () => run, isEnded);
      setSent({ gengraph, field, run, store });
      return findAccepted(store);
    },
    [gengraph, field],
  );
  const stop = useCallback(() => sent?.run.stop() ?? Promise.resolve(emptyGeneration), [sent]);
  const reset = useCallback(() => setSent(null), []);
  const state = useMemo(() => toState(sent ? view : null), [sent, view]);
  const actions = useMemo(() => ({ create, stop, reset }), [create, stop, reset]);
  return useWith(state, actions);
}

interface Sent {
  /** A request of another client, such as that of an earlier user, or of another kind is not shown. */
  readonly gengraph: Gengraph;
  readonly field: GenerateField;
  readonly run: GenerationRun;
  readonly store: ViewStore<GenerationView>;
}

/** Its subscription sends the request even if the component is unmounted at once. */
function findAccepted({ subscribe, read }: ViewStore<GenerationView>): Promise<GenerationView> {
  return new Promise((resolve) => {
    const leave = subscribe(() => {
      const view = read();
      if (view.id === null && !view.isEnded) return;
      leave();
      resolve(view);
    });
  });
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
  if (error || status === 'FAILED' || status === 'CANCELED') return 'FAILED';
  return status === 'SUCCEEDED' ? status : 'SUBMITTED';
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
