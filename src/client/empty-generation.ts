import type { GenerationView } from './generation-view.ts';
import type { GengraphProblem } from './problem.ts';

export const emptyGeneration: GenerationView = {
  id: null,
  kind: null,
  status: 'STARTING',
  model: null,
  prompt: null,
  collection: null,
  createdAt: null,
  finishedAt: null,
  isCancelable: false,
  taskId: null,
  progress: null,
  queuePosition: null,
  assets: [],
  error: null,
  isEnded: false,
};

/** The view of a generation that was refused, or that is not known. */
export function failGeneration(view: GenerationView, error: GengraphProblem): GenerationView {
  return { ...view, status: 'FAILED', error, isEnded: true };
}
