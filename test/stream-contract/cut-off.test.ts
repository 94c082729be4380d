import { createCutOff } from './cases/cut-off.ts';
import { runContract } from './contract.ts';
import { threeInstances } from './set-ups/three-instances.ts';

/** Shorter and longer than a lease. `npm run test:contract` runs more of them, with all other sections. */
runContract(threeInstances, [createCutOff([4, 20])]);
