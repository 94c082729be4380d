import {
  type DocumentNode,
  type GraphQLObjectType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
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
  test('finds code, message, advice and wait of every possible error in every shipped document', () => {
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
      ({ fields }) =>
        !['code', 'message', 'retry', 'retryAfterSeconds'].every((field) => fields.includes(field)),
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

/** The names of the fields of each selection on this object type, with those of its inline fragments. */
function selectionsOn(document: DocumentNode, isWanted: (type: GraphQLObjectType) => boolean) {
  const found: { readonly type: string; readonly fields: readonly string[] }[] = [];
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      SelectionSet({ selections }) {
        const type = typeInfo.getParentType();
        if (!isObjectType(type) || !isWanted(type)) return;
        const fields = selections.flatMap((selection) =>
          selection.kind === Kind.FIELD ? [selection.name.value] : [],
        );
        found.push({ type: type.name, fields });
      },
    }),
  );
  return found;
}

describe('every shipped document', () => {
  // `Node` and `Nodes` select it on the interface.
  const others = documents.filter(([name]) => !name.startsWith('Node'));
  test.each(others)('%s selects the id of each object that a cache keeps by id', (_name, document) => {
    const nodes = selectionsOn(document, (type) => type.getInterfaces().some(({ name }) => name === 'Node'));
    expect(nodes.filter(({ fields }) => !fields.includes('id'))).toEqual([]);
  });

  test.each(documents)('%s selects each problem of an input completely', (_name, document) => {
    const issues = selectionsOn(document, ({ name }) => name === 'InputIssue');
    for (const { fields } of issues) expect(fields).toEqual(['path', 'message', 'limit', 'received']);
    const inputErrors = selectionsOn(document, ({ name }) => name === 'InvalidInputError');
    expect(inputErrors.filter(({ fields }) => !fields.includes('issues'))).toEqual([]);
  });

  test.each(documents)('%s selects code, message and advice of each failure', (_name, document) => {
    const failures = selectionsOn(document, ({ name }) => name === 'GenerationFailure');
    const wanted = ['code', 'message', 'retry', 'retryAfterSeconds'];
    expect(failures.filter(({ fields }) => !wanted.every((field) => fields.includes(field)))).toEqual([]);
  });

  test.each(documents)(
    '%s selects all of a file that a list selects, which a cache would lose',
    (_name, document) => {
      const filesOf = (each: DocumentNode) => {
        const found: string[][] = [];
        visit(each, {
          Field({ name, selectionSet }) {
            if (name.value === 'assets')
              found.push(selectionSet?.selections.map((selection) => print(selection)) ?? []);
          },
        });
        return found;
      };
      const [listed = []] = filesOf(exported.GenerationsDocument);
      expect(listed).toContain('url');
      for (const fields of filesOf(document)) expect(fields).toEqual(expect.arrayContaining(listed));
    },
  );

  test.each(documents)(
    '%s passes every argument of its field as a variable of that name',
    (name, document) => {
      const typeInfo = new TypeInfo(schema);
      const absent: string[] = [];
      visit(
        document,
        visitWithTypeInfo(typeInfo, {
          Field(node, _key, _parent, path) {
            if (path.length > 5) return;
            const passed = node.arguments?.map((argument) => print(argument)) ?? [];
            for (const argument of typeInfo.getFieldDef()?.args ?? [])
              if (!passed.includes(`${argument.name}: $${argument.name}`)) absent.push(argument.name);
          },
        }),
      );
      // Pages go forward. `FindVoices` has the filter.
      const unused = name.includes('Voices') ? ['filter', 'first', 'after'] : ['last', 'before'];
      expect(absent.filter((argument) => !unused.includes(argument))).toEqual([]);
    },
  );
});

test('a list of generations and its feed select the same of each', () => {
  const [list, feed] = [exported.GenerationsDocument, exported.GenerationChangedDocument].map((document) => {
    const found = new Set<string>();
    const typeInfo = new TypeInfo(schema);
    visit(
      document as DocumentNode,
      visitWithTypeInfo(typeInfo, {
        SelectionSet(node) {
          if (typeInfo.getParentType()?.name === 'Generation') found.add(print(node));
        },
      }),
    );
    return found;
  });
  expect(feed).toEqual(list);
});

const chosen: readonly (readonly [string, readonly string[]])[] = [
  [
    'StreamChatDocument',
    [
      '$collection',
      'index',
      'reasoningContent',
      'refusal',
      'toolCalls',
      'arguments',
      'issues',
      'retry',
      'promptTokens',
    ],
  ],
  ['ChatEventsDocument', ['reasoningContent', 'refusal', 'toolCalls', 'arguments', 'issues', 'usage']],
  [
    'GenerationsDocument',
    ['assets', 'url', 'expiresAt', 'collection', 'error', 'isTerminal', 'isCancelable'],
  ],
  ['GenerationChangedDocument', ['model', 'createdAt', 'finishedAt']],
  ['FindVoicesDocument', ['id', 'voiceId']],
  ['UsageTotalsDocument', ['kind', 'collection']],
];

test.each(chosen)('%s reads what a page shows', (name, parts) => {
  const texts = documents.filter(([other]) => other === name).map(([, document]) => print(document));
  const words = texts.join().split(/[^$\w]+/);
  expect(parts.filter((part) => !words.includes(part))).toEqual([]);
});
