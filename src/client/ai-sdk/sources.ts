import type { SourceUrlUIPart } from 'ai';

/** The sources that a reply cites, each once. Gateways send them as members without a field in the graph. Pages make links of them. */
export function readSources(raw: unknown): SourceUrlUIPart[] {
  const { choices, citations } = asObject(raw); // Some gateways list addresses only: `citations`.
  const { annotations } = asObject(asObject(asList(choices)[0])['message']);
  const cited = asList(annotations).map((item) => asObject(item)['url_citation']);
  const sources = new Map<string, string | undefined>();
  for (const source of [...cited, ...asList(citations)]) {
    const { url, title } = typeof source === 'string' ? { url: source } : asObject(source);
    if (typeof url === 'string' && /^https?:/i.test(url) && !sources.has(url))
      sources.set(url, typeof title === 'string' ? title : undefined);
  }
  return [...sources].map(([url, title]) => ({
    type: 'source-url',
    sourceId: url,
    url,
    ...(title !== undefined && { title }),
  }));
}

/** A gateway may send anything: members of what is not an object are undefined. */
function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' ? { ...value } : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
