import { getNamedType, isUnionType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { asRecord } from '../../src/lib/json.ts';
import { startRecorded } from '../support/recording-gateway.ts';
import { leavesOf, pathFrom, selectionOf, shows, valuesAt } from '../support/reply-members.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { replies } from './members/replies.ts';
import type { ReplyMembers } from './members/reply-members.ts';

const cases = replies.map((reply) => [[reply.field, reply.variant].join(' ').trim(), reply] as const);

/** The result type of the root field that holds the reply. */
function rootTypeOf({ field }: ReplyMembers): string {
  const type = findRootField(field)?.field.type;
  if (!type) throw new Error(`No root field ${field}`);
  const named = getNamedType(type);
  return isUnionType(named) ? 'Generation' : named.name;
}

test('the table of replies has every reply that the gateway documents', () => {
  const documented = replies.filter(({ isDocumented }) => isDocumented).map(({ endpoint }) => endpoint);
  expect([...new Set(documented)].toSorted((one, other) => one - other)).toEqual([2, 3, 4, 5, 6, 13, 14, 15]);
});

describe.each(cases)('the reply to %s', (_name, reply) => {
  test('has every member in the table', () => {
    const listed = Object.keys(reply.members);
    const isListed = (leaf: string): boolean =>
      listed.some((wire) => leaf === wire || leaf.startsWith(`${wire}.`) || leaf.startsWith(`${wire}[`));
    expect(leavesOf(reply.reply).filter((leaf) => !isListed(leaf))).toEqual([]);
  });

  test('is shown by the fields of the table', async () => {
    const root = findRootField(reply.field);
    if (!root) throw new Error(`No root field ${reply.field}`);
    const type = rootTypeOf(reply);
    const shown = Object.entries(reply.members).flatMap(([wire, field]) =>
      field === null ? [] : [[wire, field, pathFrom(type, field)] as const],
    );
    const selection = selectionOf(shown.map(([, , path]) => path));
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body: reply.reply });
    const { data, errors } = await recorded.app.run(
      operationOf(root, reply.args, type === 'Generation' ? `... on Generation { ${selection} }` : selection),
      reply.args,
    );
    expect(errors).toBeUndefined();
    const result = asRecord(data)?.[reply.field];
    const problems = shown.flatMap(([wire, field, path]) => {
      const members = valuesAt(reply.reply, wire.split('.'));
      const fields = valuesAt(result, path);
      const isShown =
        fields.length === members.length && fields.every((value, at) => shows(value, members[at]));
      return isShown ? [] : [`${wire}: ${field} has ${JSON.stringify(fields)}`];
    });
    expect(problems).toEqual([]);
  });
});
