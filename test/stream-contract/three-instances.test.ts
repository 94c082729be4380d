import { runLongContract } from './contract.ts';
import { sections } from './sections.ts';
import { threeInstances } from './set-ups/three-instances.ts';

runLongContract(threeInstances, sections);
