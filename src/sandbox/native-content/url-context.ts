/** How many addresses of a prompt are looked at; the most that such models take. */
const maxUrls = 20;

/** The addresses of web pages in a text, each once. */
export function findUrls(text: string): readonly string[] {
  const found = Array.from(text.matchAll(/https?:\/\/[^\s<>"'`()[\]{}]+/gi), ([url]) =>
    url.replace(/[.,;:!?]+$/, ''),
  );
  return [...new Set(found)].filter((url) => URL.canParse(url)).slice(0, maxUrls);
}

/** Whether a page counts as read: everything can be, but a host under the top-level domain that never exists. */
function isRetrievable(url: string): boolean {
  return !/\.invalid$/i.test(new URL(url).hostname);
}

export function toUrlMetadata(urls: readonly string[]): Record<string, unknown> {
  return {
    urlMetadata: urls.map((url) => ({
      retrievedUrl: url,
      urlRetrievalStatus: `URL_RETRIEVAL_STATUS_${isRetrievable(url) ? 'SUCCESS' : 'ERROR'}`,
    })),
  };
}
