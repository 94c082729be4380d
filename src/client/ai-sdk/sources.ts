import type { SourceUrlUIPart } from 'ai';

/** What a reply with sources has in common among gateways. */
interface Raw {
  readonly choices?: readonly { readonly message?: { readonly annotations?: readonly Annotation[] } }[];
  /** Of gateways that list addresses only. */
  readonly citations?: readonly unknown[];
}

interface Annotation {
  readonly type?: string;
  readonly url_citation?: { readonly url?: string; readonly title?: string };
}

/** The sources that a reply cites, each once. Gateways send them as members without a field in the graph. Pages make links of them. */
export function readSources(raw: unknown): SourceUrlUIPart[] {
  const { choices, citations } = asObject<Raw>(raw);
  const { annotations } = asObject<NonNullable<Raw['choices']>[number]>(asList(choices)[0]).message ?? {};
  const cited = asList(annotations).map((item) => asObject<Annotation>(item).url_citation);
  const sources = new Map<string, string | undefined>();
  for (const source of [...cited, ...asList(citations)]) {
    const { url, title } = typeof source === 'string' ? { url: source } : asObject<Citation>(source);
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

interface Citation {
  readonly url?: unknown;
  readonly title?: unknown;
}

/** A gateway may send anything: members of what is not an object are undefined. */
function asObject<Type>(value: unknown): Partial<Type> {
  return typeof value === 'object' && value !== null ? value : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
