import { createGengraph } from '@gengraph/client';

async function fetchToken(): Promise<string> {
  const answer = await fetch('/api/token', { method: 'POST' });
  if (!answer.ok) throw new Error(`The server gave no token: ${answer.status}`);
  return answer.text();
}

export const gengraph = createGengraph({ url: '/graphql', credential: fetchToken });
