import type { Dice } from '../random.ts';
import type { Annotation } from './reply.ts';

export interface Sources {
  readonly text: string;
  readonly annotations: readonly Annotation[];
}

const hosts: readonly (readonly [string, string])[] = [
  ['https://en.wikipedia.org/wiki/', 'Wikipedia'],
  ['https://www.example.com/guides/', 'Example Guides'],
  ['https://www.example.org/research/', 'Example Research'],
  ['https://news.example.net/', 'Example News'],
];
const counts = { low: 1, medium: 2, high: 4 } as const;

/** Appends the sources that a search would have found, and cites them. */
export function citeSources(
  text: string,
  topic: string,
  options: { size: keyof typeof counts; dice: Dice },
): Sources {
  const found = options.dice.shuffle(hosts).slice(0, counts[options.size]);
  let cited = `${text}\n\nSources:`;
  const annotations = found.map(([address, site]): Annotation => {
    const title = `${topic.charAt(0).toUpperCase()}${topic.slice(1)} — ${site}`;
    const url = address + encodeURIComponent(topic.replaceAll(' ', '_'));
    cited += '\n- ';
    const start = cited.length;
    cited += `[${title}](${url})`;
    return {
      type: 'url_citation',
      url_citation: { start_index: start, end_index: cited.length, url, title },
    };
  });
  return { text: cited, annotations };
}
