import { parseRetryAfter } from '../gateway/decode-error.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { RefusedAddressError } from '../outgoing/public-addresses.ts';
import { codeOf } from '../lib/thrown.ts';

/** What a receiver answered, or why it did not. */
export interface ReceiverReply {
  readonly status?: number | undefined;
  /** Without the address, which may hold a secret. Absent if the event was accepted. */
  readonly failure?: string | undefined;
  /** How long a receiver with status 429 or 503 asks to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

export interface ReceiverCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** The time of day. */
  readonly now: number;
}

/** Sends an event once. Throws nothing: every failure is a reason to try again. */
export async function callReceiver(outgoing: Outgoing, call: ReceiverCall): Promise<ReceiverReply> {
  const { url, headers, body, timeoutMs, now } = call;
  try {
    const { status, header } = await outgoing.post(url, {
      headers: { 'content-type': 'application/json', 'user-agent': 'gengraph', ...headers },
      body,
      timeoutMs,
    });
    if (status >= 200 && status < 300) return { status };
    const retryAfter = status === 429 || status === 503 ? header('retry-after') : undefined;
    return { status, failure: `status ${status}`, retryAfterSeconds: parseRetryAfter(retryAfter, now) };
  } catch (error) {
    return { failure: explain(error, timeoutMs) };
  }
}

function explain(error: unknown, timeoutMs: number): string {
  if (error instanceof RefusedAddressError) return 'the address is not public, and not listed';
  if (!(error instanceof Error)) return 'no reply';
  if (error.name === 'TimeoutError') return `no reply within ${timeoutMs / 1000} s`;
  return `no reply (${codeOf(error) || error.name})`;
}
