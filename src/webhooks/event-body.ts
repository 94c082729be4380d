import type { Asset } from '../generations/asset.ts';
import { contentTypeOf } from '../generations/content-type.ts';
import type { ContentName, StoredOutput } from '../store/records.ts';
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
}

/** Larger outputs and prompts are left out: the receiver can query them. */
const maxContentBytes = 1_000_000;

/** Writes the body of an event. Contents are those that are recorded now: there are none if the record was deleted. */
export async function writeBody(
  { hasContent, owner }: Webhook,
  event: EndEvent,
  { store, describeOutput }: BodyOptions,
): Promise<string> {
  const names: readonly ContentName[] = hasContent ? ['output', 'prompt'] : ['output'];
  const { output, prompt, isWhole } = await findContents(event, names, store);
  const { assets, texts } = output ? describeOutput(output) : { assets: [], texts: [] };
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
      links: assets.flatMap(toLink),
      ...(hasContent && { prompt: prompt ?? null, texts, isContentWhole: isWhole }),
    },
  });
}

/** Files that a reply holds itself have no address. */
function toLink(asset: Asset): readonly object[] {
  const { kind, role = 'PRIMARY', url, expiresAt } = asset;
  if (url === undefined || !/^https?:/i.test(url)) return [];
  return [
    {
      kind,
      role,
      url,
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
  store: BodyOptions['store'],
): Promise<FoundContents> {
  const refs = names.map((name) => ({ id, name }));
  const sizes = await store.measureContents(owner, refs);
  const wanted = refs.filter((_ref, index) => (sizes[index] ?? Infinity) <= maxContentBytes);
  const found = await store.findContents(owner, wanted);
  const contents = Object.fromEntries(wanted.map(({ name }, index) => [name, found[index]]));
  const { output, prompt } = contents;
  return {
    // What the store holds under these names.
    output: output as StoredOutput | undefined,
    prompt: prompt as string | undefined,
    isWhole: sizes.every((size) => size === undefined || size <= maxContentBytes),
  };
}
