import type { Generation, Task } from '../store/records.ts';
import { builder } from './builder.ts';

/** Types that refer to each other are named here and implemented in files of their own. */
export const GenerationRef = builder.objectRef<Generation>('Generation');
export const TaskRef = builder.objectRef<Task>('Task');
