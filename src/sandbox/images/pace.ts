import { waitWhileOpen } from '../http/paced-writes.ts';
import type { Exchange, Services } from '../http/routes.ts';

/** Part of the task time that one image takes. */
const imageShare = 0.25;
const checkEveryMs = 100;

/** The time that a model works on one image. */
export function toImageMs({ taskSeconds }: Services): number {
  return taskSeconds * 1000 * imageShare;
}

/** Waits until a time of the clock, which a test can control. Resolves to false when the client disconnects. */
export async function waitUntil(exchange: Exchange, { clock }: Services, dueAtMs: number): Promise<boolean> {
  const { outgoing } = exchange.env;
  for (;;) {
    const leftMs = dueAtMs - clock();
    if (!(await waitWhileOpen(outgoing, Math.min(leftMs, checkEveryMs)))) return false;
    if (leftMs <= 0) return true;
  }
}
