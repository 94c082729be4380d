import type { ReceivedEvent } from '../support/webhook-receiver.ts';
import type { Listed } from './checks.ts';

/** The ends that webhooks report. */
const ends = ['SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN'];

/** What the receiver of a webhook was told otherwise than the lists say: each end is reported, and nothing but its correction follows. */
export function checkWebhooks(
  received: readonly ReceivedEvent[],
  listed: readonly Listed[],
): readonly string[] {
  // An event can come more than once.
  const events = new Map(received.map((each) => [each.id, each.event.data]));
  const corrected = new Set([...events.values()].map(({ corrects }) => corrects));
  const last = new Map<string, string[]>();
  for (const [id, { generationId, status }] of events)
    if (!corrected.has(id)) last.set(generationId, [...(last.get(generationId) ?? []), status]);
  const wrong: string[] = [];
  for (const { id, status } of listed) {
    const expected = ends.includes(status) ? status : '';
    const seen = last.get(id)?.join(' and ') ?? '';
    // A create of unknown outcome that was accepted, whose end the gateway does not show.
    const hasNoEnd = status === 'SUBMITTED' && seen === 'UNKNOWN';
    if (seen !== expected && !hasNoEnd) wrong.push(`${id}: webhooks say "${seen}", the list ${status}`);
    last.delete(id);
  }
  for (const [id, statuses] of last) wrong.push(`${id}: webhooks say "${statuses.join()}", it is not listed`);
  return wrong;
}
