export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The end of the scale. @default the largest value */
  readonly max?: number;
}

export interface BarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** Shown instead of no bars. */
  readonly empty?: string;
}

/** A small chart that is also a table for those who cannot see it. */
export function Bars({ title, bars, empty = 'Nothing yet.' }: BarsProps) {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <table className="bars">
      <caption>{title}</caption>
      <tbody>
        {bars.map(({ name, value, max }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <meter min={0} max={max ?? largest} value={value} aria-hidden="true" />
            </td>
            <td>
              {max === undefined
                ? value.toLocaleString()
                : `${value.toLocaleString()} of ${max.toLocaleString()}`}
            </td>
          </tr>
        ))}
        {bars.length === 0 && (
          <tr>
            <td className="hint">{empty}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
