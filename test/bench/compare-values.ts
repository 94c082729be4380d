import type { Row } from './harness.ts';
import { median, spreadOfPairs } from './statistics.ts';

/** Values of each subject, one per round. */
export interface Values {
  readonly floor: readonly number[];
  /** Empty unless two versions are compared. */
  readonly before: readonly number[];
  readonly gengraph: readonly number[];
  readonly plain: readonly number[];
}

export function compareValues({
  floor,
  before,
  gengraph,
  plain,
}: Values): Pick<Row, 'floor' | 'gengraph' | 'plainYoga' | 'ratio' | 'plainRatio' | 'before'> {
  return {
    floor: median(floor),
    gengraph: median(gengraph),
    plainYoga: median(plain),
    ratio: spreadOfPairs(gengraph, floor),
    plainRatio: spreadOfPairs(plain, floor),
    before:
      before.length === 0
        ? undefined
        : {
            value: median(before),
            ratio: spreadOfPairs(before, floor),
            change: spreadOfPairs(gengraph, before),
          },
  };
}
