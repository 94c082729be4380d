import { runLongContract } from './contract.ts';
import { sections } from './sections.ts';
import { router } from './set-ups/router.ts';

runLongContract(router, sections);
