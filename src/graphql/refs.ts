import type { LazyGeneration, Task } from '../store/records.ts';
import type { Graph } from './graph.ts';

/** Types that reference each other are declared here and implemented in their own files. */
export function generationRef({ builder }: Graph) {
  return builder.objectRef<LazyGeneration>('Generation');
}
export function taskRef({ builder }: Graph) {
  return builder.objectRef<Task>('Task');
}
