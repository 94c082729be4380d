import { runContract } from './contract.ts';
import { sections } from './sections.ts';
import { oneProcess } from './set-ups/one-process.ts';

runContract(oneProcess, sections);
