import { type InputIssue, InvalidInputError } from '../errors.ts';
import type { Files, InputFile } from '../files/files.ts';
import { webAddressPattern } from '../lib/addresses.ts';
import { asJsonObject, isRecord, type Json, type JsonObject } from '../lib/json.ts';
import { checkInput, type InputLimits } from './check-input.ts';
import { rulesKeyword } from './describe-limits.ts';
import type { Engine } from './engine.ts';

/** The id of an asset or an upload, in place of the address of an image. */
const referencePattern = String.raw`^(generation_[\w-]{20}\.\d{1,4}|upload_[\w-]{20})$`;
const reference = new RegExp(referencePattern);

/** Members of inputs and of requests that hold addresses of images. Other texts may equal an id. */
const members: ReadonlySet<string> = new Set([
  'url',
  'image',
  'images',
  'mask',
  'imageUrl',
  'image_url',
  'mask_url',
  'characterUrl',
  'character_url',
]);

/** The value with other texts in place of references. The same value if it has none. */
function replaceReferences<Value>(value: Value, toText: (id: string) => string, isAddress?: boolean): Value;
function replaceReferences(value: unknown, toText: (id: string) => string, isAddress = false): unknown {
  if (typeof value === 'string') return isAddress && reference.test(value) ? toText(value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceReferences(item, toText, isAddress));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const replaced = entries.map(
    ([name, member]) => [name, replaceReferences(member, toText, members.has(name))] as const,
  );
  return replaced.some(([, member], index) => member !== entries[index]?.[1])
    ? Object.fromEntries(replaced)
    : value;
}

/** The JSON Schema of an input, with references where it has addresses of images. */
export function withReferences(schema: JsonObject): JsonObject {
  const visit = (value: Json, isAddress: boolean): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => visit(item, isAddress));
    if (!isRecord(value)) return value;
    const { pattern } = value;
    const isPlace = isAddress && typeof pattern === 'string' && pattern.startsWith(webAddressPattern);
    const entries = Object.entries(value).map(([name, member]): readonly [string, Json] => {
      if (name === 'properties') return [name, visitMembers(member)];
      if (name === 'pattern' && isPlace) return [name, `${pattern}|${referencePattern}`];
      if (name === rulesKeyword && isAddress && Array.isArray(member))
        return [name, member.map(withReferenceRule)];
      return [name, visit(member, isAddress)];
    });
    return Object.fromEntries(entries);
  };
  const visitMembers = (value: Json): Json =>
    Object.fromEntries(
      Object.entries(isRecord(value) ? value : {}).map(([name, member]) => [
        name,
        visit(member, members.has(name)),
      ]),
    );
  return asJsonObject(visit(schema, false)) ?? schema;
}

function withReferenceRule(rule: Json): Json {
  return typeof rule === 'string' ? `${rule}, or the id of an asset or upload` : rule;
}

/** An input as its limits see it: references are valid addresses, if this server keeps files. */
export function toCheckable<Input>({ files }: Pick<Engine, 'files'>, input: Input): Input {
  return files ? replaceReferences(input, () => 'https://file.invalid/') : input;
}

/** Data URIs of one request in all, each as often as it is sent. */
const maxInlineChars = 56_000_000;
const tooManyInline =
  'The files of this request that are sent inline have more than 40 MB in all, and the gateway cannot reach this server.';

export interface SentFiles {
  /** The request, with what the gateway can read in place of references. */
  readonly body: JsonObject;
  readonly files: readonly InputFile[];
}

export function hasReferences({ files }: Pick<Engine, 'files'>, body: Json): boolean {
  let count = 0;
  if (files) replaceReferences(body, (id) => ((count += 1), id));
  return count > 0;
}

/** Where an input has this reference. */
function pathsOf(value: unknown, id: string, isAddress = false): readonly (readonly string[])[] {
  if (typeof value === 'string') return isAddress && value === id ? [[]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, id, Array.isArray(value) ? isAddress : members.has(name)).map((path) => [name, ...path]),
  );
}

export interface ReferencesOptions<Input> {
  readonly owner: string;
  readonly body: JsonObject;
  /** As the client sent it. The body may have references of earlier turns too. */
  readonly input: Input;
  readonly limits: InputLimits<Input>;
}

/** @throws InvalidInputError if a reference is unknown, or its file cannot be sent or breaks a limit of the input */
export async function resolveReferences<Input extends object>(
  files: Files,
  { owner, body, ...checked }: ReferencesOptions<Input>,
): Promise<SentFiles> {
  const { input } = checked;
  const counts = new Map<string, number>();
  replaceReferences(body, (id) => {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return id;
  });
  const found = new Map<string, InputFile>();
  const problems: InputIssue[] = [];
  const report = (id: string, paths: readonly (readonly string[])[], problem: string): void => {
    for (const path of paths.length > 0 ? paths : [[]])
      problems.push({ path: ['input', ...path], message: `${id}: ${problem}` });
  };
  let inlineChars = 0;
  for (const [id, count] of counts) {
    const file = await files.findInput(owner, id);
    if (typeof file === 'string') {
      report(id, pathsOf(input, id), file);
      continue;
    }
    found.set(id, file);
    if (file.sentAs !== 'DATA_URI') continue;
    inlineChars += file.url.length * count;
    if (inlineChars <= maxInlineChars) continue;
    report(id, pathsOf(input, id).slice(0, 1), tooManyInline);
    // The files after it would be read too.
    break;
  }
  if (problems.length > 0) throw new InvalidInputError(problems, true);
  checkFiles(checked, found);
  const sent = replaceReferences(body, (id) => found.get(id)?.url ?? id);
  return { body: sent, files: [...found.values()] };
}

/** Checks the limits of the input for what is sent in place of its references. */
function checkFiles<Input extends object>(
  { input, limits }: Pick<ReferencesOptions<Input>, 'input' | 'limits'>,
  found: ReadonlyMap<string, InputFile>,
): void {
  try {
    const sent = replaceReferences(input, (id) => found.get(id)?.url ?? id);
    checkInput(limits, sent);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const fileAt = new Map(
      [...found].flatMap(([id, file]) =>
        pathsOf(input, id).map((path) => [['input', ...path].join('\n'), file] as const),
      ),
    );
    const issues = error.issues.map((issue) => {
      const file = fileAt.get(issue.path.join('\n'));
      return file ? { ...issue, message: `${file.id}, sent as ${file.sentAs}: ${issue.message}` } : issue;
    });
    throw new InvalidInputError(issues);
  }
}

/** For the record of a request: how each of its files was sent. */
export function describeFiles(files: readonly InputFile[]): JsonObject {
  return files.length === 0 ? {} : { input_files: files.map(({ id, sentAs }) => ({ id, sent_as: sentAs })) };
}
