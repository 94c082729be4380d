/** The figures of one process as Prometheus text. */
export interface Figures {
  readonly number: number;
  readonly text: string;
}

/** One page of Prometheus text. Each series has the label `process`. */
export function mergeFigures(pages: readonly Figures[]): string {
  const families = new Map<string, { readonly head: string[]; readonly series: string[] }>();
  for (const { number, text } of pages) {
    let family: { readonly head: string[]; readonly series: string[] } | undefined;
    for (const line of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name) ?? { head: [], series: [] };
        families.set(name, family);
        if (!family.head.includes(line)) family.head.push(line);
      } else if (line !== '' && !line.startsWith('#')) family?.series.push(label(line, number));
    }
  }
  return [...families.values()].map(({ head, series }) => `${[...head, ...series].join('\n')}\n`).join('');
}

function label(line: string, number: number): string {
  const [name = ''] = /^[a-z_:][\w:]*/i.exec(line) ?? [];
  const rest = line.slice(name.length);
  const isLabeled = rest.startsWith('{') && !rest.startsWith('{}');
  return isLabeled
    ? `${name}{process="${number}",${rest.slice(1)}`
    : `${name}{process="${number}"}${rest.replace(/^\{\}/, '')}`;
}
