import { describe, expect, test } from 'vitest';
import { schema } from '../support/api-schema.ts';
import type { RequestMembers } from '../capabilities/members/request-members.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { acceptedReply, everyCreate } from '../support/every-create.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createRandom } from '../support/random.ts';
import { findRootField, operationOf } from '../support/request-members.ts';

const headers = { authorization: 'Bearer sk-once', 'new-api-user': '1' };
const duplicates = 20;
/** Rounds per create, each with its own key. */
const rounds = 3;

async function run(app: TestApp, { field, calls }: RequestMembers, key: string): Promise<string> {
  const root = findRootField(field);
  const variables = { ...calls[0], idempotencyKey: key };
  if (!root) throw new Error(`no such field: ${field}`);
  const query = operationOf(root, variables);
  if (root.kind !== 'subscription') {
    const { data, errors } = await app.run<Record<string, { readonly __typename: string }>, object>(
      query,
      variables,
      { headers },
    );
    return errors ? JSON.stringify(errors) : (data?.[field]?.__typename ?? '');
  }
  const client = app.wsClient({ connectionParams: headers });
  let last = '';
  for await (const { data } of client.iterate<Record<string, { readonly __typename: string }>>({
    query,
    variables,
  }))
    last = data?.[field]?.__typename ?? '';
  await client.dispose();
  return last;
}

describe(`${duplicates} concurrent duplicates of a create with randomly lost replies`, () => {
  test('cover every create operation', () => {
    const creating = [...new Set(everyCreate.map(([, { field }]) => field))].toSorted();
    const roots = [schema.getMutationType(), schema.getSubscriptionType()];
    const known = roots.flatMap((type) =>
      Object.values(type?.getFields() ?? {})
        .filter(({ args }) => args.some(({ name }) => name === 'idempotencyKey'))
        .map(({ name }) => name),
    );
    expect(creating).toEqual(known.toSorted());
    console.log(`creates tested with ${duplicates} duplicates: ${creating.join(', ')}`);
  });

  test.each(everyCreate)('%s: send one request per key and get the same result', async (_name, request) => {
    const random = createRandom(everyCreate.findIndex(([, one]) => one === request));
    const lost: boolean[] = [];
    const gateway = await startFakeGateway((_request, response) => {
      // The gateway accepts every request; only the reply may be lost.
      const isLost = lost.length === 0 || (lost.length > 1 && random() < 0.5);
      lost.push(isLost);
      if (isLost) response.socket?.destroy();
      else sendJson(response, acceptedReply);
    });
    await using app = await startApp({ gatewayUrl: gateway.url, env: { SHUTDOWN_SECONDS: '0.05' } });
    for (let round = 0; round < rounds; round += 1) {
      const key = `round-${round}`;
      const first = await Promise.all(Array.from({ length: duplicates }, () => run(app, request, key)));
      expect(new Set(first).size, [...new Set(first)].join(', ')).toBe(1);
      expect(gateway.requests).toHaveLength(round + 1);
      // A later duplicate gets the same result, including an unknown outcome.
      expect(await run(app, request, key)).toBe(first[0]);
      expect(gateway.requests).toHaveLength(round + 1);
      const isUnknown = first[0] === 'OutcomeUnknownError' || (first[0] ?? '').endsWith('Failed');
      expect(isUnknown).toBe(lost[round]);
    }
  });
});
