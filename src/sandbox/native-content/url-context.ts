/** The maximum number of addresses that such models read. */
const maxUrls = 20;

/** The addresses of web pages in a text, each once. */
export function findUrls(text: string): readonly string[] {
  const found = new Set<string>();
  // One after the other: a long text may have very many.
  for (const [match] of text.matchAll(/https?:\/\/[^\s<>"'`()[\]{}]+/gi)) {
    const url = match.replace(/(?<![.,;:!?])[.,;:!?]+$/, '');
    if (URL.canParse(url)) found.add(url);
    if (found.size === maxUrls) break;
  }
  return [...found];
}

/** Nothing is fetched: every page counts as read, except on hosts of the reserved top-level domain `.invalid`. */
export function toUrlMetadata(urls: readonly string[]): Readonly<Record<string, unknown>> {
  return {
    urlMetadata: urls.map((url) => {
      const isRetrievable = !/\.invalid$/i.test(new URL(url).hostname);
      return {
        retrievedUrl: url,
        urlRetrievalStatus: `URL_RETRIEVAL_STATUS_${isRetrievable ? 'SUCCESS' : 'ERROR'}`,
      };
    }),
  };
}
