import { emptyGeneration } from '../empty-generation.ts';
import { useMemo } from 'react';
import type { GeneratedAsset, Gengraph, GenerationView, Outcome, StoppedGeneration } from '../gengraph.ts';
import { useGengraph, useStore, useWith } from './context.ts';
import { createViewStore } from './view-store.ts';

export interface WatchedGeneration extends GenerationView {
  /** Cancels it at the gateway, if `isCancelable`. */
  stop(): Promise<Outcome<StoppedGeneration>>;
}

/** Follows a generation of any kind, with the progress of its task. Null: none yet. To unmount only stops watching. */
export function useGeneration(id: string | null | undefined): WatchedGeneration {
  const gengraph = useGengraph();
  const { store, actions } = useMemo(() => createGenerationStore(gengraph, id), [gengraph, id]);
  return useWith(useStore(store), actions);
}

/** The files of a generation. Lists leave inline files out: this hook reads them. Of another one, it reads nothing. */
export function useAssets({ id, assets }: GenerationView): readonly GeneratedAsset[] {
  const isInline = assets.some(({ url, base64 }) => url === null && base64 === null);
  const whole = useGeneration(isInline ? id : null);
  return whole.kind === null ? assets : whole.assets;
}

/** A view that ended because it could not be read is read again when it is shown again: that costs nothing. */
const isKnownEnd = ({ isEnded, error, finishedAt }: GenerationView): boolean =>
  isEnded && (error === null || finishedAt !== null);

function createGenerationStore(gengraph: Gengraph, id: string | null | undefined) {
  const open = typeof id === 'string' ? () => gengraph.followGeneration(id) : undefined;
  return {
    store: createViewStore<GenerationView>(emptyGeneration, open, isKnownEnd),
    actions: { stop: () => gengraph.stop(id ?? '') },
  };
}
