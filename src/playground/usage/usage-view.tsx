import { UsageTotalsDocument, ViewerDocument } from '@gengraph/client/documents';
import { toName } from '../gallery/generation-card.tsx';
import { Problem } from '../problem.tsx';
import { queryOf } from '../show-me/query-of.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { useRead } from '../use-read.ts';
import { Bars } from './bars.tsx';

/** What the visitor has spent in the last 30 days, and may spend. */
export function UsageView() {
  const viewer = useRead(ViewerDocument, {});
  const days = useRead(UsageTotalsDocument, { groupBy: ['DAY'] });
  const kinds = useRead(UsageTotalsDocument, { groupBy: ['KIND'] });
  const problem = viewer.problem ?? days.problem ?? kinds.problem;
  const [byDay, byKind] = [days.value, kinds.value];
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
      {viewer.value && (
        <Bars
          title="Limits"
          empty="None: the operator has set no limits."
          bars={viewer.value.limits.map(({ name, kind, used, max }) => ({
            name: kind === null ? toName(name) : `${toName(name)}, ${toName(kind).toLowerCase()}`,
            value: Number(used),
            max: Number(max),
          }))}
        />
      )}
      <ShowMe
        sample={{ query: queryOf(UsageTotalsDocument), variables: { groupBy: ['DAY'] } }}
        result={byDay}
      />
    </section>
  );
}
