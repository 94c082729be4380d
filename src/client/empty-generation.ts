import type { GenerationView } from './generation-view.ts';

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
