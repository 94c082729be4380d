import { readWhole } from '../files/read-whole.ts';
import { showAssets as showAssetsOf } from '../files/show-assets.ts';
import type { Asset } from '../generations/asset.ts';
import { readDataUri } from '../lib/addresses.ts';
import { isRecord } from '../lib/json.ts';
import type { GenerationSummary, StoredOutput } from '../store/records.ts';
import type { Context } from './context.ts';

type Ended = Pick<GenerationSummary, 'id' | 'finishedAt'>;

/** The assets of an output that has ended, with the addresses of stored files in place of those of the provider. */
export async function showAssets(
  assets: readonly Asset[],
  { id, finishedAt }: Ended,
  { engine: { files }, loaders }: Context,
): Promise<readonly Asset[]> {
  if (!files || assets.length === 0) return assets;
  const found = finishedAt === undefined ? undefined : await loaders.files.load(id);
  return showAssetsOf(assets, { id, found }, files);
}

/** Base64 whose content is only in the store. Null if it has lost it. @throws if the answer has no room for it, or the store is away */
export async function readMoved(
  { file }: Pick<Asset, 'file'>,
  { engine: { files }, budget }: Context,
): Promise<string | null> {
  if (!files || !file?.stored) return null;
  const { stored } = file;
  // Held as bytes, and as text.
  const bytes = 3 * stored.sizeBytes;
  if (!budget.admitRead(bytes)) throw budget.error;
  await budget.waitForRoom(bytes);
  return (await readWhole(stored, files.open))?.toString('base64') ?? null;
}

/** An output that has ended, with the addresses of stored files in place of those of the provider and of inline files. */
export async function showOutput(
  output: StoredOutput,
  assets: readonly Asset[],
  generation: Ended,
  context: Context,
): Promise<StoredOutput> {
  const shown = await showAssets(assets, generation, context);
  const bySource = new Map<string, Asset>();
  for (const [position, { url, base64 }] of assets.entries()) {
    const asset = shown[position];
    const source = url ?? base64;
    if (source !== undefined && asset && !bySource.has(source)) bySource.set(source, asset);
  }
  return bySource.size === 0 ? output : replace(output, bySource);
}

/** Members with JSON of the gateway, which stays as received. */
const rawMembers: ReadonlySet<string> = new Set([
  'value',
  'request',
  'timings',
  'groundingMetadata',
  'safetyRatings',
]);

/** Members with base64, which stays: its field reads the file. */
const inlineMembers = ['base64', 'data'] as const;

/** Changes values only: the members stay. */
function replace<Value>(value: Value, bySource: ReadonlyMap<string, Asset>): Value;
function replace(value: unknown, bySource: ReadonlyMap<string, Asset>): unknown {
  if (Array.isArray(value)) return value.map((item) => replace(item, bySource));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]): readonly [string, unknown] => {
    if (rawMembers.has(name)) return [name, member];
    if (typeof member !== 'string') return [name, replace(member, bySource)];
    return [name, /^url$|Url$/.test(name) ? (find(member, bySource)?.url ?? member) : member];
  });
  const asset = ['url', ...inlineMembers].map((name) => find(value[name], bySource)).find(Boolean);
  if (!asset) return Object.fromEntries(members);
  const { url, expiresAt, contentType, file } = asset;
  return { ...Object.fromEntries(members), ...(url !== undefined && { url }), expiresAt, contentType, file };
}

/** The asset with this address or base64, which may be in a data URI. */
function find(text: unknown, bySource: ReadonlyMap<string, Asset>): Asset | undefined {
  if (typeof text !== 'string') return undefined;
  return bySource.get(text) ?? bySource.get(readDataUri(text)?.base64 ?? '');
}
