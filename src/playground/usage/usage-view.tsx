import type { GengraphProblem } from '@gengraph/client';
import { useEffect, useState } from 'react';
import { toName } from '../gallery/generation-card.tsx';
import { gengraph } from '../gengraph.ts';
import { Problem } from '../problem.tsx';
import { ShowMe } from '../show-me/show-me.tsx';
import { Bars } from './bars.tsx';

const viewerText = `query Viewer {
  viewer { owner scopes limits { name kind max used resetsAt } }
}`;
const totalsText = `query Totals($groupBy: [UsageDimension!]) {
  usageTotals(groupBy: $groupBy) { day kind generations failed totalTokens }
}`;

interface Viewer {
  readonly owner: string;
  readonly limits: readonly {
    readonly name: string;
    readonly kind: string | null;
    readonly max: number | string;
    readonly used: number | string;
    readonly resetsAt: string | null;
  }[];
}

interface Total {
  readonly day: string | null;
  readonly kind: string | null;
  readonly generations: number | string;
  readonly totalTokens: number | string;
}

/** What the visitor has spent in the last 30 days, and may spend. */
export function UsageView() {
  const [viewer, viewerProblem] = useRead<Viewer>(viewerText);
  const [byDay, daysProblem] = useRead<readonly Total[]>(totalsText, 'DAY');
  const [byKind, kindsProblem] = useRead<readonly Total[]>(totalsText, 'KIND');
  const problem = viewerProblem ?? daysProblem ?? kindsProblem;
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage and limits</h2>
      {problem && <Problem problem={problem} />}
      {byDay && (
        <Bars
          title="Generations by day"
          bars={byDay.map(({ day, generations }) => ({ name: day ?? '', value: Number(generations) }))}
        />
      )}
      {byKind && (
        <Bars
          title="Generations by kind"
          bars={byKind.map(({ kind, generations }) => ({ name: toName(kind), value: Number(generations) }))}
        />
      )}
      {byKind && (
        <Bars
          title="Tokens by kind"
          bars={byKind
            .filter(({ totalTokens }) => Number(totalTokens) > 0)
            .map(({ kind, totalTokens }) => ({ name: toName(kind), value: Number(totalTokens) }))}
        />
      )}
      {viewer && (
        <Bars
          title="Limits"
          bars={viewer.limits.map(({ name, kind, used, max }) => ({
            name: kind === null ? toName(name) : `${toName(name)}, ${toName(kind).toLowerCase()}`,
            value: Number(used),
            max: Number(max),
          }))}
        />
      )}
      <ShowMe sample={{ query: totalsText, variables: { groupBy: ['DAY'] } }} result={byDay} />
    </section>
  );
}

function useRead<Value>(query: string, dimension?: string): readonly [Value | null, GengraphProblem | null] {
  const [read, setRead] = useState<readonly [Value | null, GengraphProblem | null]>([null, null]);
  useEffect(() => {
    let isLeft = false;
    const variables = dimension === undefined ? {} : { groupBy: [dimension] };
    void gengraph.run<Value>({ query, variables }).then(({ problem, value }) => {
      if (!isLeft) setRead([value ?? null, problem ?? null]);
    });
    return () => {
      isLeft = true;
    };
  }, [query, dimension]);
  return read;
}
