import { UsageTotalsDocument, ViewerDocument } from '@gengraph/client/documents';
import { print } from 'graphql';
import { kindTitles } from '../create/families.ts';
import { toLabel } from '../form/schema.ts';
import { Problem } from '../problem.tsx';
import { ShowMe } from '../show-me/show-me.tsx';
import { useRead } from '../use-read.ts';

/** What the visitor has spent in the last 30 days, and may spend. */
export function UsageView() {
  const viewer = useRead(ViewerDocument, {});
  const days = useRead(UsageTotalsDocument, { groupBy: ['DAY'] });
  const kinds = useRead(UsageTotalsDocument, { groupBy: ['KIND'] });
  const reads = [viewer, days, kinds];
  const failed = reads.filter(({ problem }) => problem);
  const retry = (): void => failed.forEach((read) => read.retry());
  const titleOf = (kind: string | null): string => kindTitles.get(kind ?? '') ?? 'Others';
  const made = days.value?.map(({ day, generations }): Bar => [day ?? '', generations]);
  const byKind = kinds.value?.map(({ kind, generations }): Bar => [titleOf(kind), generations]);
  const tokens = kinds.value
    ?.filter(({ totalTokens }) => Number(totalTokens) > 0)
    .map(({ kind, totalTokens }): Bar => [titleOf(kind), totalTokens]);
  const limits = viewer.value?.limits.map(({ name, kind, used, max }): Bar => {
    const title = toLabel(name.toLowerCase().replaceAll('_', ' '));
    return [kind ? `${title}, ${titleOf(kind)}` : title, used, max];
  });
  const sample = { query: print(UsageTotalsDocument), variables: { groupBy: ['DAY'] } };
  return (
    <section aria-labelledby="usage">
      <h1 id="usage">Usage and limits</h1>
      <p className="hint">What you made in the last 30 days, and the tokens that the gateway reported.</p>
      {failed[0]?.problem && <Problem problem={failed[0].problem} onRetry={retry} />}
      {reads.some(({ value, problem }) => !value && !problem) && <p aria-busy="true">Reading…</p>}
      <div className="charts">
        <Bars title="Made by day" bars={made} />
        <Bars title="Made by kind" bars={byKind} />
        <Bars title="Tokens by kind" bars={tokens} />
        <Bars title="Limits" bars={limits} />
      </div>
      <ShowMe sample={sample} result={days.value} />
    </section>
  );
}

/** Large counts arrive as text. Without a maximum, the largest value is the end of the scale. */
type Bar = readonly [name: string, value: number | string, max?: number | string];

/** A small chart that is also a table for those who cannot see it. */
function Bars({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] | undefined }) {
  const largest = Math.max(1, ...(bars ?? []).map(([, value]) => Number(value)));
  return (
    <table className="bars">
      <caption>{bars?.length === 0 ? `${title}: none` : title}</caption>
      <tbody>
        {bars?.map(([name, ...counts]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <meter value={Number(counts[0])} max={Number(counts[1] ?? largest)} aria-hidden="true" />
            </td>
            <td>{counts.map((count) => count?.toLocaleString()).join(' of ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
