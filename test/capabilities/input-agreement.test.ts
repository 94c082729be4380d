import { coerceInputValue, graphql, GraphQLNonNull, isInputObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { capabilities } from '../../src/capabilities/index.ts';
import { type InputIssue, InvalidInputError } from '../../src/errors.ts';
import { checkInput, type InputLimits } from '../../src/generations/check-input.ts';
import type { DescribedLimits } from '../../src/generations/describe-limits.ts';
import { isRecord } from '../../src/lib/json.ts';
import { schema as api } from '../support/api-schema.ts';
import { createAjv, createInputs } from '../support/input-cases.ts';
import { createRandom } from '../support/random.ts';
import { asSchema, type JsonSchema } from '../support/schema-cases.ts';
import { firstSeed } from '../support/seeds.ts';

/** Inputs of each type. `npm run test:long` makes 5,000. */
const count = Number(process.env['INPUTS'] ?? 250);
const maxCount = 10_000;

const inputs: readonly (readonly [string, DescribedLimits])[] = capabilities.flatMap(({ inputs: limits }) =>
  Object.entries(limits ?? {}),
);

/** The limits that JSON Schema cannot express. Clients get them in words. */
const inWords: readonly string[] = [
  'ChatInput.messages.content.parts.imageUrl.url: http(s) address or base64 data URI',
  'ChatInput: A function that toolChoice names must be one of tools.',
  'ChatInput: Each tool call of a continued reply needs a message with role TOOL.',
  'ChatInput: arguments must be JSON text of at most 100,000 values, with at most 500,000 values in the arguments of all tool calls.',
  'ChatInput: extraBody must not contain members that this request declares, in any spelling.',
  'ChatInput: responseFormat.type JSON_OBJECT needs a message that contains the word "JSON".',
  'ChatInput: toolCallId of a TOOL message must be the id of a tool call before it.',
  'CreateAccessTokenInput.allowedIps: IP address or CIDR network',
  'CreateAccessTokenInput.quota.amount: a multiple of 0.000002',
  'CreateAccessTokenInput: expiresAt must be in the future.',
  'CreateImageInput.byResolution: size.pixels: The area must be 1024x1024 to 4096x4096 pixels.',
  'CreateImageInput.byResolution: size.pixels: The aspect ratio must be 1/16 to 16.',
  'CreateReferenceVideoInput.reference.image: http(s) address or base64 data URI',
  'CreateReferenceVideoInput.reference.images: http(s) address or base64 data URI',
  'CreateSpeechInput.pronunciations: <word>/<replacement>, a syllable with its tone for each Chinese character',
  'CreateSpeechInput: Pauses in text must be well-formed and stand between spoken text.',
  'CreateVideoInput.fromImages.images: http(s) address or base64 data URI',
  'CreateVideoInput.withCharacter.characterUrl: http(s) address',
  'CreateVideoInput.withCharacter.images: http(s) address or base64 data URI',
  'CreateVideoInput.withCharacter: characterTimestamps: The character span must be 1 to 3 seconds long.',
  'FillImageInput.image: http(s) address or base64 data URI of jpeg, png, gif, webp',
  'FillImageInput.mask: http(s) address or base64 data URI of jpeg, png, gif, webp',
  'FillImageInput: mask must have the size of image. Checked for inline images.',
  'FillImageInput: mask or outpaint is required if image has no alpha channel. Checked for inline images.',
  'GenerateContentInput.contents.parts.inlineData.data: base64 of whole bytes',
  'GenerateContentInput: extra.tools must be absent with urlContext, in any spelling.',
  'ImageByResolutionInput: size.pixels: The area must be 1024x1024 to 4096x4096 pixels.',
  'ImageByResolutionInput: size.pixels: The aspect ratio must be 1/16 to 16.',
  'JSON: at most 100 levels deep',
  'QueueInpaintingInput.image: http(s) address or base64 data URI of jpeg, png, webp, gif, avif',
  'QueueInpaintingInput.mask: http(s) address or base64 data URI of jpeg, png, webp, gif, avif',
];

/** They need the record of an earlier chat. */
const afterHistory: ReadonlySet<string> = new Set([
  'Each tool call of a continued reply needs a message with role TOOL.',
  'responseFormat.type JSON_OBJECT needs a message that contains the word "JSON".',
]);

async function documentOf(name: string): Promise<JsonSchema> {
  const source = `{ inputSchema(input: "${name}") }`;
  const { data, errors } = await graphql({ schema: api, source, contextValue: { engine: {} } });
  expect(errors).toBeUndefined();
  return asSchema(data?.['inputSchema']);
}

type Issue = Pick<InputIssue, 'path' | 'message' | 'limit'>;

interface Verdict {
  readonly issues: readonly Issue[];
  /** Statements in words of the rules across members that the input breaks, by path and message of their issues. */
  readonly broken: ReadonlyMap<string, string>;
}

const keyOf = ({ path, message }: Issue): string => JSON.stringify([path, message]);

/** The problems that the server finds, with paths within the input. */
function check(name: string, limits: InputLimits<object>, input: unknown): Verdict {
  const type = api.getType(name);
  if (!isInputObjectType(type)) throw new TypeError(name);
  const issues: Issue[] = [];
  const broken = new Map<string, string>();
  const value: unknown = coerceInputValue(input, new GraphQLNonNull(type), (path, _value, { message }) => {
    issues.push({ path: path.map(String), message });
  });
  if (issues.length > 0 || !isRecord(value)) return { issues, broken };
  runRulesInWords(limits, value, (statement, issue) => broken.set(keyOf(issue), statement));
  try {
    checkInput(limits, value);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { issues: error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) })), broken };
  }
  return { issues, broken };
}

function runRulesInWords(
  limits: InputLimits<object>,
  value: object,
  report: (statement: string, issue: Issue) => void,
  place: readonly string[] = [],
): void {
  for (const [statement, rule] of Object.entries(limits.rules ?? {})) {
    if (typeof rule !== 'function' && rule.isPart !== true) continue;
    const run = typeof rule === 'function' ? rule : rule.check;
    run(value, (path, issue) => report(statement, { ...issue, path: [...place, ...path.map(String)] }));
  }
  const alternatives: Readonly<Record<string, InputLimits<object> | undefined>> = limits.alternatives ?? {};
  for (const [name, inner] of Object.entries(alternatives)) {
    const member: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
    if (inner && isRecord(member)) runRulesInWords(inner, member, report, [...place, name]);
  }
}

const wordsOf = (schema: JsonSchema): readonly string[] => [schema['x-rules'] ?? []].flat().map(String);

/** The statement in words that an issue of a member breaks. */
function findMemberWords(document: JsonSchema, { path, message, limit }: Issue): string | undefined {
  if (/nested at most/.test(message)) return wordsOf(asSchema(asSchema(document['$defs'])['JSON']))[0];
  let schema = document;
  for (const key of path) {
    if (schema['properties'] === undefined && schema['items'] === undefined) break; // The names of a JSON object.
    schema = asSchema(/^\d+$/.test(key) ? schema['items'] : asSchema(schema['properties'])[key]);
  }
  if (schema['properties'] !== undefined) return undefined;
  const isName = limit === 'undeclared members only';
  return wordsOf(schema).find((words) => isName || (limit !== undefined && words.includes(limit)));
}

type Statement = readonly [place: string, words: string];

/** Every statement in words of an input. */
function statementsOfDocument(document: JsonSchema): readonly Statement[] {
  const json = asSchema(asSchema(document['$defs'])['JSON']);
  return [...statementsOf(document, String(document['title'])), ...statementsOf(json, 'JSON')];
}

function statementsOf(schema: JsonSchema, place: string): readonly Statement[] {
  const members = Object.entries(asSchema(schema['properties'])).flatMap(([name, member]) =>
    statementsOf(asSchema(member), `${place}.${name}`),
  );
  const ofItems = schema['items'] ? statementsOf(asSchema(schema['items']), place) : [];
  return [...wordsOf(schema).map((words) => [place, words] as const), ...members, ...ofItems];
}

const chat = { model: 'm', messages: [{ role: 'USER', content: { text: 'Hi' } }] };
const inJson = { responseFormat: { type: 'JSON_OBJECT' } };
const content = { model: 'm', contents: [{ parts: [{ text: 'Hi' }] }] };
const withData = (data: string) => ({
  ...content,
  contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data } }] }],
});
const speech = { text: 'Hi', voice: { id: 'v' } };
const token = { name: 'n', quota: { isUnlimited: true } };
const fill = { modelOwner: 'o', modelName: 'm', prompt: 'p' };
const video = { model: 'm', prompt: 'p', size: 'SMALL', characterUrl: 'https://x/1.mp4' };

const partlyExpressed: readonly (readonly [string, readonly object[], readonly object[]])[] = [
  [
    'GenerateContentInput',
    [
      { ...content, urlContext: true, extra: { other: 1 } },
      { ...content, urlContext: false, extra: { tools: [] } },
      withData('QUJD'),
    ],
    [{ ...content, urlContext: true, extra: { tools: [] } }, withData('not base64')],
  ],
  [
    'ChatInput',
    [
      { ...chat, extraBody: { google: {}, enable_thinking: true, other: 1 } },
      { ...chat, ...inJson, messages: [{ role: 'USER', content: { text: 'as Json' } }] },
      { ...chat, ...inJson, messages: [{ role: 'USER', content: { parts: [{ text: 'JSON' }] } }] },
      { ...chat, ...inJson, continueFrom: `generation_${'a'.repeat(20)}` },
    ],
    [
      { ...chat, extraBody: { model: 'other' } },
      { ...chat, ...inJson },
    ],
  ],
  [
    'CreateSpeechInput',
    [{ ...speech, pronunciations: ['omg/oh my god'] }],
    [
      { ...speech, pronunciations: ['omg'] },
      { ...speech, pronunciations: ['omg/ '] },
    ],
  ],
  [
    'CreateAccessTokenInput',
    [{ ...token, allowedIps: ['10.0.0.0/8', '::1'] }],
    [
      { ...token, allowedIps: ['example.com'] },
      { ...token, allowedIps: ['10.0.0.0/8000'] },
    ],
  ],
  [
    'FillImageInput',
    [
      { ...fill, image: 'https://x/1.png' },
      { ...fill, image: 'data:image/png;base64,QUJD' },
    ],
    [
      { ...fill, image: 'ftp://x/1.png' },
      { ...fill, image: 'data:text/plain;base64,QUJD' },
    ],
  ],
  [
    'CreateVideoInput',
    [{ withCharacter: video }],
    [{ withCharacter: { ...video, characterUrl: 'file:///x.mp4' } }],
  ],
];

describe('the JSON Schema and the server agree on generated inputs', () => {
  test.each(inputs)('of %s', async (name, limits) => {
    const document = await documentOf(name);
    const validate = createAjv().compile(document);
    const make = createInputs(document, createRandom(firstSeed));
    const disagreements: string[] = [];
    const verdicts = { valid: 0, invalid: 0 };
    const unbroken = new Set(statementsOfDocument(document).map(([, words]) => words));
    /** Goes on until each statement in words was the only reason of a refusal. */
    const isDone = (made: number) =>
      made >= count && ([...unbroken].every((words) => afterHistory.has(words)) || made >= maxCount);
    for (let made = 0; !isDone(made) && disagreements.length < 5; made += 1) {
      const input = make();
      const isAllowed = validate(input);
      const { issues, broken } = check(name, limits as InputLimits<object>, input);
      verdicts[issues.length === 0 ? 'valid' : 'invalid'] += 1;
      if (isAllowed === (issues.length === 0)) continue;
      const words = issues.map((issue) => broken.get(keyOf(issue)) ?? findMemberWords(document, issue));
      if (isAllowed && !words.includes(undefined)) {
        for (const statement of words) unbroken.delete(statement ?? '');
        continue;
      }
      const text = (JSON.stringify(input) ?? '').slice(0, 500);
      disagreements.push(
        isAllowed
          ? `the server refuses ${text}: ${JSON.stringify(issues)}`
          : `the schema refuses ${text}: ${JSON.stringify(validate.errors)}`,
      );
    }
    expect(disagreements).toEqual([]);
    expect([...unbroken].filter((words) => !afterHistory.has(words))).toEqual([]);
    expect(verdicts.valid).toBeGreaterThan(count / 15);
    expect(verdicts.invalid).toBeGreaterThan(count / 10);
  });

  test('except where the schema has words', async () => {
    const documents = await Promise.all(inputs.map(([name]) => documentOf(name)));
    const statements = new Set(
      documents.flatMap((document) =>
        statementsOfDocument(document).map(([place, words]) => `${place}: ${words}`),
      ),
    );
    const others = [...statements].filter(
      (statement) => !statement.includes('.extra: no other spelling of these'),
    );
    expect(others.toSorted()).toEqual(inWords);
  });

  /** Of rules that JSON Schema expresses in part: the server refuses more than these. */
  test.each(partlyExpressed)(
    '%s: the schema accepts and refuses what it can express',
    async (name, accepted, refused) => {
      const validate = createAjv().compile(await documentOf(name));
      for (const input of accepted) expect(validate(input), JSON.stringify(input)).toBe(true);
      for (const input of refused) expect(validate(input), JSON.stringify(input)).toBe(false);
    },
  );
});
