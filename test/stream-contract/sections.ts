import { after } from './cases/after.ts';
import { cancel } from './cases/cancel.ts';
import { createCutOff } from './cases/cut-off.ts';
import { delta } from './cases/delta.ts';
import { detach } from './cases/detach.ts';
import { end } from './cases/end.ts';
import { endings } from './cases/endings.ts';
import { faults } from './cases/faults.ts';
import { healing } from './cases/healing.ts';
import { merging } from './cases/merging.ts';
import { ownership } from './cases/ownership.ts';
import { replay } from './cases/replay.ts';
import { sequence } from './cases/sequence.ts';
import { snapshot } from './cases/snapshot.ts';
import { twins } from './cases/twins.ts';
import type { Section } from './contract.ts';
import { propertySection } from './properties.ts';

/** Every section of the contract, in the order of the report. */
export const sections: readonly Section[] = [
  snapshot,
  delta,
  end,
  sequence,
  after,
  healing,
  detach,
  cancel,
  replay,
  twins,
  ownership,
  endings,
  merging,
  faults,
  createCutOff([1, 2, 4, 6, 20, 40]),
  propertySection,
];
