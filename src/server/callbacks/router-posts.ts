import type { ExecutionResult } from 'graphql';
import { backOffMs } from '../../lib/back-off.ts';
import type { Clock } from '../../lib/clock.ts';
import { noLimits } from '../../lib/fairness/fair-queue.ts';
import { createFairQueues } from '../../lib/fairness/queues.ts';
import { wait } from '../../lib/wait.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import type { CallbackRequest } from './callback-request.ts';

/** What a router made of a post. */
export type PostOutcome =
  | 'accepted'
  /** It does not know the subscription any more (404). */
  | 'gone'
  /** Any other status below 500 that is no success, redirects included. */
  | 'refused'
  /** No success within the limit: 5xx, timeouts, broken connections. */
  | 'failed'
  | 'stopped';

export type PostAction = 'check' | 'next' | 'complete';

export interface Post {
  readonly action: PostAction;
  /** JSON text of `payload`, for `next`. */
  readonly payload?: string | undefined;
  /** For `complete`. */
  readonly errors?: ExecutionResult['errors'];
}

export interface PostOptions {
  /** Owners take turns. */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Whether the router may not know the subscription yet. @default false */
  readonly isFirst?: boolean;
  /** Whether this instance still holds the subscription. Asked before each attempt but the first. @default true */
  readonly isHeld?: (() => Promise<boolean>) | undefined;
}

export interface RouterPosts {
  /** Posts once, and again after failures that may pass. Never rejects. */
  post(to: CallbackRequest, post: Post, options: PostOptions): Promise<PostOutcome>;
}

export interface RouterPostsOptions {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly random: () => number;
  readonly metrics: Metrics | undefined;
}

/** Posts to one router at the same time, and as many heartbeats. */
const maxPosts = 64;
/** Connections to one router. */
export const maxConnections = 2 * maxPosts;
/** A router may answer late where a client of its own reads slowly. Posts of other owners must not wait for it. */
const maxPerOwner = 16;
/** Of one attempt, with the reply. */
const attemptMs = 10_000;
const delays = { firstMs: 100, maxMs: 5000 };
/** No attempt begins later. */
const retryMs = 30_000;
/**
 * The same for the first check: a client waits for it. Hive Gateway knows a subscription some time after it has sent the request,
 * and answers 404 until then.
 */
const firstRetryMs = 3000;

export function createRouterPosts({ outgoing, clock, random, metrics }: RouterPostsOptions): RouterPosts {
  const queues = createFairQueues();
  /** Heartbeats never wait for events that a router answers late. */
  const pathOf = (url: string, owner: string, isHeartbeat: boolean) => [
    { key: isHeartbeat ? 'heartbeats' : 'posts', limits: noLimits },
    { key: new URL(url).origin, limits: { ...noLimits, running: maxPosts } },
    { key: owner, limits: { ...noLimits, running: maxPerOwner } },
  ];
  const attempt = async (to: CallbackRequest, body: string, signal: AbortSignal): Promise<PostOutcome> => {
    try {
      const { status } = await outgoing.post(to.url, {
        headers: { 'content-type': 'application/json', 'subscription-protocol': 'callback/1.0' },
        body,
        timeoutMs: attemptMs,
        signal,
        allowsPlainHttp: true,
      });
      if (status >= 200 && status < 300) return 'accepted';
      if (status === 404) return 'gone';
      return status >= 500 ? 'failed' : 'refused';
    } catch {
      return signal.aborted ? 'stopped' : 'failed';
    }
  };
  return {
    async post(to, { action, payload, errors }, { owner, signal, isFirst = false, isHeld }) {
      const path = pathOf(to.url, owner, action === 'check' && !isFirst);
      const body = toBody(to, { action, payload, errors });
      const endsAt = clock.elapsed() + (isFirst ? firstRetryMs : retryMs);
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await queues(path, () => attempt(to, body, signal));
        metrics?.add('gengraph.callback.posts', 1, {
          'gengraph.callback.action': action,
          'gengraph.callback.outcome': outcome,
        });
        const mayPass = outcome === 'failed' || (outcome === 'gone' && isFirst);
        const delayMs = backOffMs(attempts, delays) * (0.5 + random());
        if (!mayPass || clock.elapsed() + delayMs >= endsAt) return outcome;
        await wait(clock, delayMs, signal);
        if (signal.aborted || (await isHeld?.()) === false) return 'stopped';
      }
    },
  };
}

/** The payload is JSON already. */
function toBody(
  { subscriptionId: id, verifier }: CallbackRequest,
  { action, payload, errors }: Post,
): string {
  const head = JSON.stringify({ kind: 'subscription', action, id, verifier, ...(errors && { errors }) });
  return payload === undefined ? head : `${head.slice(0, -1)},"payload":${payload}}`;
}
