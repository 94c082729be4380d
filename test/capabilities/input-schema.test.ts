import { getNamedType, isInputObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { InputSchemaDocument } from '../../src/client/documents.generated.ts';
import { operations, schema as api } from '../support/api-schema.ts';
import { sandboxKey, startApp, systemToken, type TestApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { codeOf } from '../support/http.ts';
import { createAjv } from '../support/input-cases.ts';
import {
  asSchema,
  type JsonSchema,
  leavesOf,
  type Path,
  valuesAround,
  withValue,
} from '../support/schema-cases.ts';

/** Their inputs concern this server alone, and have no limits of the gateway. */
const ownInputs = ['CreateUploadInput', 'CreateWebhookInput'];

const inputs = [api.getMutationType(), api.getSubscriptionType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).flatMap(({ name: field, args }) => {
    const type = getNamedType(args.find(({ name }) => name === 'input')?.type);
    return isInputObjectType(type) && !ownInputs.includes(type.name)
      ? [{ field, name: type.name, isMutation: root === api.getMutationType() }]
      : [];
  }),
);
const creates = inputs.filter(
  ({ field, name, isMutation }) =>
    isMutation && field !== 'startChat' && inputs.find((input) => input.name === name) !== undefined,
);

async function schemaOf(app: TestApp, input: string): Promise<JsonSchema> {
  const { data } = await app.run(InputSchemaDocument, { input }, { headers: {} });
  return asSchema(data?.inputSchema);
}

/** The example input of a create. */
function exampleOf(name: string): unknown {
  const example = operations.find(
    ({ variables }) => variables['input'] !== undefined && inputTypeOf(variables, name),
  );
  return example?.variables['input'];
}

function inputTypeOf(variables: Readonly<Record<string, unknown>>, name: string): boolean {
  const operation = operations.find((each) => each.variables === variables);
  return creates.some(
    ({ field, name: type }) =>
      type === name && operation?.name === field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
}

const asList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

interface Refusal {
  readonly isRefused: boolean;
  /** Paths of the issues within the input. Undefined if the operation itself is invalid. */
  readonly paths: readonly string[] | undefined;
}

async function create(
  app: TestApp,
  { field, name }: (typeof creates)[number],
  input: unknown,
): Promise<Refusal> {
  const query = `mutation ($input: ${name}!) { ${field}(input: $input) { __typename ... on InvalidInputError { issues { path } } } }`;
  const headers = field === 'createAccessToken' ? systemToken : sandboxKey;
  const { data, errors } = await app.run<
    Record<string, { __typename: string; issues?: { path: string[] }[] }>,
    object
  >(query, { input }, { headers });
  const result = data?.[field];
  if (!result) return { isRefused: codeOf({ errors } as never) === 'BAD_REQUEST', paths: undefined };
  const paths = result.issues?.map(({ path }) => path.slice(1).join('.'));
  return { isRefused: paths !== undefined, paths: paths ?? [] };
}

describe('inputSchema', () => {
  test('has the schema of every input of a create, without a credential', async () => {
    await using app = await startApp();
    for (const { name } of inputs)
      expect(await schemaOf(app, name)).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: name,
        type: 'object',
      });
  });

  test('describes every member, by itself or by its type', async () => {
    await using app = await startApp();
    for (const { name } of inputs) {
      const members = Object.entries(asSchema((await schemaOf(app, name))['properties']));
      const undescribed = members.filter(([, member]) => !asSchema(member)['description']);
      expect(undescribed.map(([member]) => `${name}.${member}`)).toEqual([]);
    }
  });

  test('describes a choice by its type where its own words only repeat its name', async () => {
    await using app = await startApp();
    const { fromImages } = asSchema((await schemaOf(app, 'CreateVideoInput'))['properties']);
    expect(asSchema(fromImages)['description']).toBe('A video from images.');
  });

  test('has the default of every member that the schema gives one, and no other', async () => {
    await using app = await startApp();
    const membersOf = async (name: string) => asSchema((await schemaOf(app, name))['properties']);
    expect(await membersOf('CreateSongCoverInput')).toMatchObject({
      model: { default: 'SONG_V5' },
      isInstrumental: { default: false },
    });
    expect(await membersOf('ChatInput')).toMatchObject({
      streamOptions: { properties: { includeUsage: { default: true } } },
      tools: { items: { properties: { type: { default: 'FUNCTION' } } } },
    });
    // Only the gateway's default.
    expect(asSchema((await membersOf('CreateAnimationInput'))['width'])).not.toHaveProperty('default');
  });

  test('refuses an unknown name with the list of names', async () => {
    await using app = await startApp();
    const result = await app.run(InputSchemaDocument, { input: 'NoInput' });
    expect(codeOf(result)).toBe('BAD_REQUEST');
    expect(result.errors?.[0]?.message).toContain('ChatInput, CloneVoiceInput,');
  });

  test('has each kind of limit', async () => {
    await using app = await startApp();
    const membersOf = async (name: string) => asSchema((await schemaOf(app, name))['properties']);
    expect(await membersOf('ChatInput')).toMatchObject({
      temperature: { type: ['number', 'null'], minimum: 0, maximum: 2 },
      stop: { type: ['array', 'null'], maxItems: 4 },
      messages: { type: 'array', minItems: 1 },
      logitBias: { type: ['object', 'null'] },
    });
    expect(await membersOf('CreateVideoInput')).toMatchObject({
      fromImages: {
        properties: {
          prompt: { type: 'string', allOf: [{ pattern: String.raw`\S` }] },
          durationSeconds: { enum: [10, 15] },
        },
      },
      withCharacter: { properties: { durationSeconds: { enum: [10, 15, 25, null] } } },
    });
    expect(await membersOf('CloneVoiceInput')).toMatchObject({ voiceId: { minLength: 8, maxLength: 256 } });
    expect(await membersOf('QueueInpaintingInput')).toMatchObject({
      mask: { 'x-rules': ['http(s) address or base64 data URI of jpeg, png, webp, gif, avif'] },
    });
  });

  test('states rules across members with the names of members', async () => {
    await using app = await startApp();
    for (const { name } of inputs) {
      const schema = await schemaOf(app, name);
      const text = JSON.stringify(schema);
      const rules = [schema, ...leavesOf(schema).map((leaf) => leaf.schema)].flatMap((each) =>
        each['properties'] === undefined ? [] : asList(each['x-rules']),
      );
      for (const word of rules.flatMap((rule) => rule.match(/\b[a-z]+[A-Z]\w*/g) ?? []))
        expect(text, `${name}: ${word}`).toContain(`"${word}":`);
    }
  });
});

/** Values that the schema accepts, and a rule in words refuses. */
const ruled = new Set(['continueFrom = "x"', 'toolChoice.function.name = "x"']);

describe('a schema accepts what the API accepts', () => {
  test.each(creates)('of $field', async (created) => {
    const gateway = await startFakeGateway((_request, response) =>
      sendJson(response, '{"error":{"message":"no"}}', 400),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const schema = await schemaOf(app, created.name);
    const ajv = createAjv();
    const isValid = ajv.compile(schema);
    const example = exampleOf(created.name);
    expect(isValid(example)).toBe(true);
    /** Whether the schema allows the input, and how the API disagrees. */
    const check = async (path: Path, input: unknown) => {
      const isAllowed = isValid(input);
      const before = gateway.requests.length;
      const { isRefused, paths } = await create(app, created, input);
      const isSent = gateway.requests.length > before;
      const isMemberRefused = paths === undefined || paths.includes(path.join('.'));
      return { isAllowed, disagrees: isAllowed ? isMemberRefused : !isRefused || isSent };
    };
    const disagreements: string[] = [];
    const oneSided: string[] = [];
    for (const leaf of leavesOf(schema)) {
      const place = leaf.path.join('.');
      const values = valuesAround(leaf.schema);
      const isValidMember = ajv.compile({ $defs: schema['$defs'], ...leaf.schema });
      const sides = new Set<boolean>();
      for (const value of values) {
        const { isAllowed, disagrees } = await check(leaf.path, withValue(example, schema, leaf.path, value));
        sides.add(isValidMember(value));
        const label = `${place} = ${JSON.stringify(value).slice(0, 60)}`;
        if (disagrees && !(isAllowed && ruled.has(label))) disagreements.push(label);
      }
      if (values.some((value) => value !== null) && sides.size < 2) oneSided.push(place);
    }
    expect(disagreements).toEqual([]);
    expect(oneSided).toEqual([]);
  });
});
