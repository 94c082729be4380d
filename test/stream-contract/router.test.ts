import { runLongContract } from './contract.ts';
import { sections } from './sections.ts';
import { router, routerByCallback, routerByEvents } from './set-ups/router.ts';

for (const setUp of [router, routerByCallback, routerByEvents]) runLongContract(setUp, sections);
