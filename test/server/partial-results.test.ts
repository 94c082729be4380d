import { expect, describe, test } from 'vitest';
import { schema } from '../support/api-schema.ts';
import { startApp, systemToken } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { publicFields, rootFieldOperations } from '../support/root-fields.ts';

const federationFields = ['_entities', '_service'];
const fields = rootFieldOperations(schema).filter(
  ({ kind, name }) => kind !== 'subscription' && !federationFields.includes(name),
);
const tooManyIds = JSON.stringify(Array.from({ length: 101 }, (_, index) => `id-${index}`));
const failing = {
  query: 'failing: generations(first: 101) { __typename }',
  mutation: `failing: deleteGenerations(ids: ${tooManyIds}) { deletedIds }`,
} as const;

/** Adds a second root field to an operation with one root field. */
function beside(query: string, name: string, neighbor: string): string {
  return query.replace(`{ ${name}`, `{ ${neighbor} result: ${name}`);
}

const ownFields = fields.filter(({ name }) => !publicFields.includes(name));

describe('a root field that fails leaves its neighbors intact', () => {
  test.each(ownFields.map(({ kind, name, query }) => [`${kind} ${name}`, { name, query }] as const))(
    '%s',
    async (_title, { name, query }) => {
      await using app = await startApp();
      const { data, errors } = await app.run(
        beside(query, name, 'neighbor: __typename'),
        {},
        { headers: {} },
      );
      expect(errors).toMatchObject([{ path: ['result'], extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(data).toMatchObject({ neighbor: expect.any(String), result: null });
    },
  );
});

describe('the result of a root field survives a neighbor that fails', () => {
  test.each(fields.map(({ kind, name, query }) => [`${kind} ${name}`, { kind, name, query }] as const))(
    '%s',
    async (_title, { kind, name, query }) => {
      await using app = await startApp({
        env: { OWNER_WEBHOOKS: 'on', FILES: 'folder', FILES_DIR: await createDirectory() },
      });
      const needsSystemToken = kind === 'mutation' || name === 'accessTokens';
      const caller = needsSystemToken ? { headers: systemToken } : undefined;
      const neighbor = kind === 'query' ? failing.query : failing.mutation;
      const alone = await app.run<object, object>(beside(query, name, ''), {}, caller);
      const both = await app.run<object, object>(beside(query, name, neighbor), {}, caller);
      expect(alone.errors).toBeUndefined();
      expect(both.errors).toMatchObject([{ path: ['failing'], extensions: { code: 'LIMIT_EXCEEDED' } }]);
      expect(both.data).toEqual({ ...alone.data, failing: null });
    },
  );
});

test('an image that was created and paid for is returned beside a token that was refused', async () => {
  await using app = await startApp();
  const { data, errors } = await app.run<object, object>(
    `mutation {
      image: createImage(input: { byCount: { model: "gpt-image-1", prompt: "a lighthouse" } }) { __typename ... on Generation { id status } }
      token: createAccessToken(input: { name: "build", quota: { isUnlimited: true } }) { __typename }
    }`,
  );
  expect(data).toEqual({
    image: { __typename: 'Generation', id: expect.any(String), status: 'SUCCEEDED' },
    token: null,
  });
  expect(errors).toMatchObject([{ path: ['token'], extensions: { code: 'UNAUTHENTICATED' } }]);
});
