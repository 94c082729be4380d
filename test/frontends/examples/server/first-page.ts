import type { GenerationsQuery } from '@gengraph/client/documents';
import { documentTexts } from '@gengraph/client/server';

interface Answer {
  readonly data?: GenerationsQuery | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** The newest generations of the user whose token it is, for the first page. */
export async function loadFirstPage(url: string, token: string): Promise<GenerationsQuery['generations']> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: documentTexts.Generations, variables: { first: 20 } }),
    // Frameworks cache what they fetch: this is one user's list.
    cache: 'no-store',
  });
  const { data, errors = [] } = (await answer.json()) as Answer;
  const [error] = errors;
  if (error) throw new Error(`The list could not be read: ${error.message}`);
  return data?.generations ?? null;
}
