import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';

/** The document between the marks is a literal that its scalar refuses. */
const documents: readonly string[] = [
  '{ generations(filter: { createdAfter: ⟨"2026-11-20"⟩ }) { totalCount } }',
  '{ usageTotals(filter: { fromDay: ⟨"yesterday"⟩ }) { generations } }',
  'mutation { createWebhook(input: { url: ⟨"hooks"⟩ }) { __typename } }',
  'mutation { createAccessToken(input: { name: "a", quota: { units: ⟨"many"⟩ } }) { __typename } }',
  'mutation { createAccessToken(input: { name: "a", quota: { units: ⟨true⟩ } }) { __typename } }',
  'mutation { startChat(input: { model: "m", messages: [], seed: ⟨"any"⟩ }) { __typename } }',
  'mutation { startChat(input: { model: "m", messages: [], extra: ⟨{ top: 1e999 }⟩ }) { __typename } }',
];

test('the error of a literal says where the literal is', async () => {
  await using app = await startApp();
  for (const marked of documents) {
    const { errors } = await app.run(marked.replaceAll(/[⟨⟩]/g, ''));
    expect([marked, errors?.map(({ locations }) => locations)]).toEqual([
      marked,
      [[{ line: 1, column: marked.indexOf('⟨') + 1 }]],
    ]);
  }
});

test('a number with a fraction is a Number, and its error asks for a number', async () => {
  await using app = await startApp();
  const query =
    'mutation ($seed: Number) { startChat(input: { model: "m", messages: [], seed: $seed }) { __typename } }';
  for (const seed of ['any', true]) {
    const inVariable = await app.run(query, { seed });
    const inLiteral = await app.run(
      query.replace('($seed: Number)', '').replace('$seed', JSON.stringify(seed)),
    );
    for (const { errors } of [inVariable, inLiteral])
      expect(errors?.[0]?.message).toMatch(/Expected a number or a string of decimal digits\.$/);
  }
});
