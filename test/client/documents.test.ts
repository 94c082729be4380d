import {
  type DocumentNode,
  isAbstractType,
  isInterfaceType,
  Kind,
  print,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import * as exported from '../../src/client/documents.generated.ts';
import { schema } from '../support/api-schema.ts';

const documents = Object.entries(exported).flatMap(([name, document]) =>
  // The other exports are tables.
  name.endsWith('Document') ? [[name, document as DocumentNode] as const] : [],
);

/**
 * The fields of each selection on a union or interface, per object type, as a cache without knowledge of the schema finds them:
 * a fragment counts only if it names exactly this type.
 */
function abstractSelections(document: DocumentNode) {
  const found: { readonly path: string; readonly member: string; readonly fields: readonly string[] }[] = [];
  const typeInfo = new TypeInfo(schema);
  const fieldsFor = ({ selections }: SelectionSetNode, member: string): readonly string[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection.name.value];
      if (selection.kind !== Kind.INLINE_FRAGMENT) throw new Error('Spelt out without named fragments');
      return selection.typeCondition?.name.value === member ? fieldsFor(selection.selectionSet, member) : [];
    });
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      SelectionSet(node) {
        const type = typeInfo.getParentType();
        if (!isAbstractType(type)) return;
        for (const { name } of schema.getPossibleTypes(type))
          found.push({ path: `${type.name} in ${print(node)}`, member: name, fields: fieldsFor(node, name) });
      },
    }),
  );
  return found;
}

describe('a cache without knowledge of the schema', () => {
  test('finds code, message and advice of every possible error in every shipped document', () => {
    expect(documents.length).toBeGreaterThan(40);
    const errors = new Set(
      Object.values(schema.getTypeMap()).flatMap((type) =>
        'getInterfaces' in type && type.getInterfaces().some(({ name }) => name === 'GengraphError')
          ? [type.name]
          : [],
      ),
    );
    const selections = documents.flatMap(([, document]) => abstractSelections(document));
    const onErrors = selections.filter(({ member }) => errors.has(member));
    expect(onErrors.length).toBeGreaterThan(100);
    const missing = onErrors.filter(
      ({ fields }) => !['code', 'message', 'retry'].every((field) => fields.includes(field)),
    );
    expect(missing).toEqual([]);
  });

  test.each(documents)('%s has no fragment on an interface', (_name, document) => {
    const onInterfaces: string[] = [];
    visit(document, {
      InlineFragment({ typeCondition }) {
        const type = schema.getType(typeCondition?.name.value ?? '');
        if (isInterfaceType(type)) onInterfaces.push(type.name);
      },
    });
    expect(onInterfaces).toEqual([]);
  });
});

const chosen: readonly (readonly [string, readonly string[]])[] = [
  [
    'StreamChatDocument',
    ['$collection', 'reasoningContent', 'refusal', 'toolCalls', 'arguments', 'issues', 'retry'],
  ],
  ['ChatEventsDocument', ['reasoningContent', 'refusal', 'toolCalls', 'arguments', 'issues', 'usage']],
  ['GenerationsDocument', ['assets', 'url', 'expiresAt']],
  ['GenerationChangedDocument', ['model', 'createdAt', 'finishedAt']],
  ['FindVoicesDocument', ['id', 'voiceId']],
  ['UsageTotalsDocument', ['kind', 'collection']],
];

test.each(chosen)('%s reads what a page shows', (name, parts) => {
  const texts = documents.filter(([other]) => other === name).map(([, document]) => print(document));
  const words = texts.join().split(/[^$\w]+/);
  expect(parts.filter((part) => !words.includes(part))).toEqual([]);
});
