import type { Files } from '../files/files.ts';
import { showAssets } from '../files/show-assets.ts';
import type { Asset } from '../generations/asset.ts';
import { contentTypeOf } from '../generations/content-type.ts';
import type { ByteHold } from '../lib/fairness/byte-holds.ts';
import { asString } from '../lib/json.ts';
import { type ContentName, isStoredOutput, type StoredOutput } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { EndEvent, Webhook } from '../store/webhook-records.ts';

/** What an output holds, whatever its type. */
export interface OutputFacts {
  readonly assets: readonly Asset[];
  /** The text of each candidate or part of the reply. */
  readonly texts: readonly string[];
}

export interface BodyOptions {
  readonly store: Pick<Store, 'findContents' | 'measureContents'>;
  readonly describeOutput: (output: StoredOutput) => OutputFacts;
  /** Absent if this server keeps no files. */
  readonly files?: Pick<Files, 'find' | 'addressOf'> | undefined;
  /** What the body and its contents take. Released by the caller. */
  readonly hold: Pick<ByteHold, 'reserve'>;
}

/** Larger outputs and prompts are left out: the receiver can query them. */
const maxContentBytes = 1_000_000;

/** Writes the body of an event. Contents are those that are recorded now: there are none if the record was deleted. */
export async function writeBody(
  { hasContent, owner }: Webhook,
  event: EndEvent,
  { store, describeOutput, files, hold }: BodyOptions,
): Promise<string> {
  const names: readonly ContentName[] = hasContent ? ['output', 'prompt'] : ['output'];
  const { output, prompt, isWhole } = await findContents(event, names, { store, hold });
  const { assets, texts } = output ? describeOutput(output) : { assets: [], texts: [] };
  const links = files ? await findFiles(event, assets, files) : assets;
  return JSON.stringify({
    type: `generation.${event.status.toLowerCase()}`,
    timestamp: new Date(event.finishedAt).toISOString(),
    data: {
      generationId: event.generationId,
      taskId: event.taskId ?? null,
      // An owner knows itself.
      ...(owner === undefined && { owner: event.owner }),
      kind: event.kind,
      status: event.status,
      model: event.model ?? null,
      collection: event.collection ?? null,
      createdAt: new Date(event.createdAt).toISOString(),
      finishedAt: new Date(event.finishedAt).toISOString(),
      usage: toUsage(event),
      error: event.error ? { code: event.error.code } : null,
      corrects: event.corrects ?? null,
      links: links.flatMap(toLink),
      ...(hasContent && { prompt: prompt ?? null, texts, isContentWhole: isWhole }),
    },
  });
}

async function findFiles(
  { owner, generationId: id }: EndEvent,
  assets: readonly Asset[],
  files: NonNullable<BodyOptions['files']>,
): Promise<readonly Asset[]> {
  if (assets.length === 0) return assets;
  const [found] = await files.find(owner, [id]);
  return showAssets(assets, { id, found }, files);
}

/** Files that a reply holds itself have no address before they are stored. */
function toLink(asset: Asset): readonly object[] {
  const { kind, role = 'PRIMARY', url, expiresAt, file } = asset;
  const hasAddress = url !== undefined && /^https?:/i.test(url);
  if (!hasAddress && !file) return [];
  return [
    {
      ...(file && { id: file.id, storage: file.state }),
      kind,
      role,
      url: hasAddress ? url : null,
      contentType: contentTypeOf(asset) ?? null,
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    },
  ];
}

function toUsage({ usage }: EndEvent): object | null {
  if (!usage) return null;
  const { promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens, outputTokens } = usage;
  return { promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens, outputTokens };
}

interface FoundContents {
  readonly output: StoredOutput | undefined;
  readonly prompt: string | undefined;
  /** Whether no content was left out because of its size. */
  readonly isWhole: boolean;
}

async function findContents(
  { owner, generationId: id }: EndEvent,
  names: readonly ContentName[],
  { store, hold }: Pick<BodyOptions, 'store' | 'hold'>,
): Promise<FoundContents> {
  const refs = names.map((name) => ({ id, name }));
  const sizes = await store.measureContents(owner, refs);
  const wanted = refs.filter((_ref, index) => (sizes[index] ?? Infinity) <= maxContentBytes);
  const wantedBytes = sizes.reduce<number>((sum, size = 0) => sum + (size <= maxContentBytes ? size : 0), 0);
  // The text of the body, and its bytes until the receiver has read them.
  await hold.reserve(2 * wantedBytes);
  const found = await store.findContents(owner, wanted);
  const contents = Object.fromEntries(wanted.map(({ name }, index) => [name, found[index]]));
  const { output, prompt } = contents;
  return {
    output: isStoredOutput(output) ? output : undefined,
    prompt: asString(prompt),
    isWhole: sizes.every((size) => size === undefined || size <= maxContentBytes),
  };
}
