import type { GengraphProblem } from '../problem.ts';

/** An answer in the form of GraphQL errors, which all clients read. */
export function refuse(
  status: number,
  code: GengraphProblem['code'],
  message: string,
  retry: GengraphProblem['retry'] = code === 'UNAUTHENTICATED' ? 'AUTHENTICATE' : 'FIX_INPUT',
): Response {
  return Response.json(
    { errors: [{ message, extensions: { code, retry } }] },
    { status, headers: { 'cache-control': 'no-store', ...(status === 405 && { allow: 'POST' }) } },
  );
}
