import { runLongContract } from './contract.ts';
import { sections } from './sections.ts';
import { onePostgresProcess } from './set-ups/postgres.ts';

runLongContract(onePostgresProcess, sections);
