import { InvalidInputError, type InputIssue, RateLimitError, RequestError } from '../errors.ts';
import { labelIssues } from '../generations/label-issues.ts';
import { createBudget } from '../lib/budget.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/ids.ts';
import { dayMs } from '../lib/time.ts';
import { isPrivateHost } from '../outgoing/public-addresses.ts';
import type { ShownStatus } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import {
  type Delivery,
  endStatuses,
  keptDeliveries,
  maxWebhooks,
  type Webhook,
  type WebhookRecords,
} from '../store/webhook-records.ts';
import { listsHost } from '../webhook-settings.ts';
import { createSecretSeals } from './seal-secret.ts';
import { createSecret } from './sign.ts';

export interface NewWebhook extends Pick<Webhook, 'url' | 'kinds' | 'collections' | 'hasContent'> {
  readonly statuses?: readonly ShownStatus[] | undefined;
}

interface WebhookCreator {
  readonly owner: string;
  /** Whether the gateway has accepted the credential. Any text could be one. */
  readonly isAccepted: boolean;
}

interface CreatedWebhook {
  readonly webhook: Webhook;
  /** Not readable later. */
  readonly secret: string;
}

/** The webhooks that callers create for their own generations. */
export interface OwnerWebhooks {
  /** @throws InvalidInputError, or RateLimitError for a caller that the gateway has not accepted */
  create(caller: WebhookCreator, webhook: NewWebhook): Promise<CreatedWebhook>;
  /** Oldest first. */
  list(owner: string): Promise<readonly Webhook[]>;
  /** Returns false if the owner has no such webhook. */
  delete(owner: string, id: string): Promise<boolean>;
  /** The last ones, newest first. Undefined if the owner has no such webhook. */
  listDeliveries(owner: string, id: string): Promise<readonly Delivery[] | undefined>;
  /**
   * Delivers events again, by default those that failed. Returns those that are kept: none of a webhook that is unknown or disabled.
   * @throws RequestError LIMIT_EXCEEDED
   */
  redeliver(owner: string, id: string, eventIds?: readonly string[]): Promise<readonly Delivery[]>;
}

export interface OwnerWebhooksOptions {
  readonly records: Pick<
    WebhookRecords,
    'insert' | 'listOf' | 'find' | 'delete' | 'listDeliveries' | 'redeliver'
  >;
  readonly store: Pick<Store, 'secret'>;
  readonly clock: Clock;
  /** @default every public host */
  readonly hosts: readonly string[] | undefined;
  /** Whether the operator lists the host of an address for private addresses, and for owners. */
  readonly isListed: (url: URL) => boolean;
  /** A delivery is due. */
  readonly wake: () => void;
}

const maxUrlChars = 2000;
const maxFilterValues = 100;
/** Webhooks that all callers create in a day whose credential the gateway has not accepted. They may be of any size. */
const maxUnknownPerDay = 1000;

const retryAfterSeconds = Math.ceil(dayMs / 1000 / maxUnknownPerDay);
const tooManyUnknown =
  'Too many webhooks of callers whose credential the gateway has not accepted. Make a generation first, or retry.';

export function createOwnerWebhooks(options: OwnerWebhooksOptions): OwnerWebhooks {
  const { records, store, clock, wake } = options;
  const unknown = createBudget({ max: maxUnknownPerDay, periodMs: dayMs, clock });
  return {
    async create({ owner, isAccepted }, { statuses, ...input }) {
      const issues = [...findUrlIssues(input.url, options), ...findFilterIssues({ ...input, statuses })];
      if (issues.length > 0) throw new InvalidInputError(issues);
      if (!isAccepted && !unknown.take(1)) throw new RateLimitError(tooManyUnknown, { retryAfterSeconds });
      const id = randomId('webhook');
      const secret = createSecret();
      const sealedSecret = createSecretSeals(await store.secret()).seal(secret, id);
      const ends = statuses && endStatuses.filter((status) => statuses.includes(status));
      const webhook = { ...input, id, owner, statuses: ends, sealedSecret, createdAt: clock.now() };
      if (await records.insert(webhook, maxWebhooks)) return { webhook, secret };
      const message = `You have ${maxWebhooks} webhooks. Delete one first.`;
      throw new InvalidInputError([{ path: ['input'], message, limit: `at most ${maxWebhooks} webhooks` }]);
    },
    list: (owner) => records.listOf(owner),
    delete: (owner, id) => records.delete(owner, id),
    async listDeliveries(owner, id) {
      const webhook = await records.find(owner, id);
      return webhook && records.listDeliveries(webhook.id, keptDeliveries);
    },
    async redeliver(owner, id, eventIds) {
      if (eventIds && eventIds.length > keptDeliveries)
        throw new RequestError(
          'LIMIT_EXCEEDED',
          `eventIds takes at most ${keptDeliveries} ids, received ${eventIds.length}. Split the list.`,
        );
      const webhook = await records.find(owner, id);
      if (!webhook || webhook.disabledAt !== undefined) return [];
      const deliveries = await records.redeliver(webhook.id, eventIds);
      if (deliveries.length > 0) wake();
      return deliveries;
    },
  };
}

function findUrlIssues(
  text: string,
  { hosts, isListed }: Pick<OwnerWebhooksOptions, 'hosts' | 'isListed'>,
): readonly InputIssue[] {
  const issue = (message: string, limit?: string): readonly InputIssue[] => [
    { path: ['input', 'url'], message, ...(limit !== undefined && { limit }) },
  ];
  if (text.length > maxUrlChars)
    return issue(
      `The address is too long: at most ${maxUrlChars} characters.`,
      `at most ${maxUrlChars} characters`,
    );
  // A parser of addresses accepts them, but not each database does.
  if (/[\p{Cc}\p{Cs}]/u.test(text))
    return issue('The address must not have control characters or half a surrogate pair.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return issue('The address must not have a user name or password.');
  if (isListed(url)) return [];
  if (url.protocol !== 'https:') return issue('The address must begin with https://.');
  if (hosts && !listsHost(hosts, url))
    return issue('The operator of this server does not allow this host.', hosts.join(', '));
  return isPrivateHost(url.hostname) ? issue('The address must be public.') : [];
}

function findFilterIssues({ kinds, statuses, collections }: NewWebhook): readonly InputIssue[] {
  // The row holds them, and no generation has a longer one.
  const labels = (collections ?? [])
    .slice(0, maxFilterValues)
    .flatMap((label, index) => labelIssues(['input', 'collections', String(index)], label));
  const lists = Object.entries({ kinds, statuses, collections }).flatMap(([name, list]) =>
    list && (list.length === 0 || list.length > maxFilterValues)
      ? [
          {
            path: ['input', name],
            message: `Must be 1 to ${maxFilterValues} values. Omit the list for all.`,
            limit: `1 to ${maxFilterValues}`,
            received: String(list.length),
          },
        ]
      : [],
  );
  const others = statuses?.filter((status) => !endStatuses.some((end) => end === status)) ?? [];
  const unended = others.map((status) => ({
    path: ['input', 'statuses'],
    message: 'A generation does not end with this status.',
    limit: endStatuses.join(', '),
    received: status,
  }));
  return [...lists, ...labels, ...unended];
}
