import type { ChaosServer } from './fleet.ts';
import { usageOf } from './gateway.ts';
import { chargedReceipts, type Intent, type Receipt, textOf } from './ledger.ts';

/** A generation as its owner's list shows it. */
export interface Listed {
  readonly id: string;
  readonly status: string;
  readonly isTerminal: boolean;
  readonly prompt: string | null;
  readonly error: { readonly code: string } | null;
  readonly usage: Readonly<Record<TokenCount, number | null>> | null;
  readonly output: {
    readonly choices?: readonly { readonly message: { readonly content: string | null } }[];
    /** Of generated content. */
    readonly text?: string | null;
  } | null;
  readonly assets: readonly { readonly url: string | null }[];
}

export const tokenCounts = ['promptTokens', 'completionTokens', 'totalTokens'] as const;
type TokenCount = (typeof tokenCounts)[number];

export interface Totals extends Readonly<Record<TokenCount, string | number>> {
  readonly generations: string | number;
  readonly succeeded: string | number;
  readonly failed: string | number;
  readonly canceled: string | number;
  readonly unknown: string | number;
}

/** Advice that says that the request was not charged. */
const nothingCharged = ['FIX_INPUT', 'NEW_KEY', 'AUTHENTICATE', 'ADD_QUOTA', 'SAFE', 'LATER'];
/** A reply that arrived so long before its server ended was recorded. */
const recordingMs = 3000;
/**
 * A server that was away from the database for less than this cannot have lost its chats: 7.5 to 10 s of its lease remained, or
 * a little less if a busy machine renewed it late.
 */
const harmlessMs = 7000;

/** Everything that is wrong with one intent, after the world has calmed down. `found` has its generation, if it has one. */
export function checkIntent(
  intent: Intent,
  found: Listed | undefined,
  servers: readonly ChaosServer[],
): readonly string[] {
  const wrong: string[] = [];
  const charged = chargedReceipts(intent);
  if (charged.length > 1) wrong.push(`paid ${charged.length} times`);
  if (intent.id !== undefined && found?.id !== intent.id)
    wrong.push(`the acknowledged generation ${intent.id} is not in the list: ${found?.id ?? 'nothing'}`);
  // Its server ended, or its connection broke, before the gateway had the request.
  if (found && charged.length === 0 && found.status !== 'UNKNOWN')
    wrong.push(`generation ${found.id} (${found.status}) without a request`);
  if (!found && charged.length > 0) wrong.push('a request without a generation');
  if (!intent.settledAt) wrong.push('the client never got an end');
  wrong.push(...checkAnswers(intent, charged));
  const [receipt] = charged;
  if (receipt && found) {
    const server = servers[receipt.server];
    if (server)
      wrong.push(
        ...checkStatus(intent, { found, receipt, server }),
        ...checkEnds(intent, { found, receipt, server }),
      );
  }
  return wrong;
}

function checkAnswers(intent: Intent, charged: readonly Receipt[]): readonly string[] {
  return intent.answers.flatMap(({ at, code, retry }) => {
    // Sent before the server reads the key: it says nothing about the requests before this one.
    const isBlind = code === 'SHUTTING_DOWN';
    const isFalse =
      !isBlind && nothingCharged.includes(retry ?? '') && charged.some(({ arrivedAt }) => arrivedAt < at);
    if (isFalse) return [`told ${code} ${retry}, but the gateway had the request`];
    return code === 'INTERNAL' ? ['told INTERNAL'] : [];
  });
}

interface Sent {
  readonly found: Listed;
  readonly receipt: Receipt;
  readonly server: ChaosServer;
}

function checkStatus(intent: Intent, { found, receipt, server }: Sent): readonly string[] {
  const text = found.output?.choices?.[0]?.message.content ?? found.output?.text ?? '';
  const isText = ['chat', 'completion', 'content'].includes(intent.kind);
  const isFiles = /image|song|animation/.test(intent.kind);
  const wrong: string[] = [];
  if (isText && !textOf(intent).startsWith(text))
    wrong.push(`its text is not a prefix: ${text.slice(0, 60)}`);
  if (!found.isTerminal) wrong.push(`it is still ${found.status}`);
  for (const { url } of found.assets)
    if (!new RegExp(`\\b${intent.name}\\.`).test(url ?? '')) wrong.push(`it has the file ${url}`);
  for (const status of ['SUCCEEDED', 'CANCELED'])
    if (intent.told.has(status) && found.status !== status)
      wrong.push(`its client was told ${status}, the record says ${found.status}`);
  const hasEnded = hadTrouble(server, {
    from: receipt.arrivedAt,
    to: (receipt.wholeAt ?? Infinity) + recordingMs,
    kinds: ['killed', 'terminated'],
  });
  if (found.status === 'SUCCEEDED') {
    if (isText && text !== textOf(intent))
      wrong.push(`SUCCEEDED with ${text.length} of ${textOf(intent).length} characters`);
    if (isText && receipt.wholeAt === undefined) wrong.push('SUCCEEDED without the end marker');
    if (isFiles && found.assets.length === 0) wrong.push('SUCCEEDED without a file');
    const { total_tokens: tokens } = usageOf(intent);
    if (hasUsage(intent) && found.usage?.totalTokens !== tokens)
      wrong.push(`SUCCEEDED with ${found.usage?.totalTokens} of ${tokens} tokens`);
    return wrong;
  }
  if (found.status === 'CANCELED') {
    if (intent.canceledAt === undefined) wrong.push('CANCELED, but nobody canceled it');
    return wrong;
  }
  // The gateway documents no way to follow these.
  if (found.status === 'SUBMITTED') return wrong;
  if (hasEnded || receipt.outcome === 'lost' || receipt.cutAt !== undefined) return wrong;
  const seen = `${found.status} ${found.error?.code ?? ''}`;
  if (receipt.wholeAt !== undefined) wrong.push(`${seen}, but its server lived and the whole reply was sent`);
  else if (intent.kind === 'chat') wrong.push(`${seen}, but its server lived and the gateway did not cut it`);
  return wrong;
}

/** Whether the gateway reports the tokens of its reply. */
const hasUsage = ({ kind }: Intent): boolean => kind === 'chat' || kind === 'completion';

function checkEnds(intent: Intent, { found, receipt, server }: Sent): readonly string[] {
  const whole = textOf(intent);
  return intent.ends.flatMap(({ at, type, code, text }) => {
    if (!whole.startsWith(text)) return [`a watcher saw a text that was not sent`];
    if (type === 'ChatCompleted') {
      if (text !== whole) return [`ChatCompleted with ${text.length} of ${whole.length} characters`];
      return found.status === 'SUCCEEDED' ? [] : [`ChatCompleted was seen, the record says ${found.status}`];
    }
    if (type === 'ChatCanceled' && found.status !== 'CANCELED')
      return [`ChatCanceled was seen, the record says ${found.status}`];
    if (type === 'ChatFailed' && code === 'INTERRUPTED') {
      const span = { from: receipt.arrivedAt, to: at };
      const wasDead = hadTrouble(server, { ...span, kinds: ['killed', 'terminated'] });
      const wasAway = hadTrouble(server, { ...span, kinds: ['cut off', 'paused'], minMs: harmlessMs });
      return wasDead || wasAway ? [] : ['INTERRUPTED was seen, but its server lived'];
    }
    return [];
  });
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly kinds: readonly string[];
  readonly minMs?: number;
}

function hadTrouble({ troubles }: ChaosServer, { from, to, kinds, minMs = 0 }: Span): boolean {
  return troubles.some(
    (trouble) =>
      kinds.includes(trouble.kind) &&
      trouble.from <= to &&
      trouble.to >= from &&
      Math.min(trouble.to, to) - trouble.from >= minMs,
  );
}

/** Compares what `usageTotals` says of an owner with the sum of the owner's records. */
export function checkTotals(
  owner: string,
  listed: readonly Listed[],
  totals: Totals | undefined,
): readonly string[] {
  const count = (status: string): number => listed.filter((each) => each.status === status).length;
  const expected: Readonly<Record<string, number>> = {
    generations: listed.length,
    succeeded: count('SUCCEEDED'),
    failed: count('FAILED'),
    canceled: count('CANCELED'),
    unknown: count('UNKNOWN'),
    ...Object.fromEntries(
      tokenCounts.map((name) => [name, listed.reduce((sum, { usage }) => sum + (usage?.[name] ?? 0), 0)]),
    ),
  };
  return Object.entries(expected).flatMap(([name, value]) => {
    const said = Number(totals?.[name as keyof Totals] ?? 0);
    return said === value ? [] : [`${owner}: usageTotals says ${name} ${said}, the records ${value}`];
  });
}
