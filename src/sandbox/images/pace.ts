import { waitWhileOpen } from '../http/paced-writes.ts';
import type { Exchange, Services } from '../http/routes.ts';

/** The part of a task's time that one image takes. */
const imageShare = 0.25;
const lookEveryMs = 100;

/** How long a model works on one image. */
export function toImageMs({ taskSeconds }: Services): number {
  return taskSeconds * 1000 * imageShare;
}

/** Waits for a time of the clock, which need not run like a timer's. Resolves to false as soon as the client leaves. */
export async function waitUntil(exchange: Exchange, { clock }: Services, dueAtMs: number): Promise<boolean> {
  const { outgoing } = exchange.env;
  for (;;) {
    const leftMs = dueAtMs - clock();
    if (!(await waitWhileOpen(outgoing, Math.min(leftMs, lookEveryMs)))) return false;
    if (leftMs <= 0) return true;
  }
}
