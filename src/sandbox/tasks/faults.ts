import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { cutConnection } from '../http/cut-connection.ts';
import { Refusal } from '../http/errors.ts';
import { waitWhileOpen } from '../http/paced-writes.ts';
import type { Exchange } from '../http/routes.ts';
import { isTerminal, type Phase } from './timeline.ts';

/** Faults of tasks, immediate images and native content. A prompt requests one with `fault:<word>`. See the README. */
const faultWords = [
  'refused',
  'rate-limit',
  'empty-401',
  'html-502',
  'cut',
  'slow',
  'failed',
  'stuck',
  'unknown-status',
  'contradict',
  'contradict-late',
  'slow-read',
  'flaky-read',
  'refused-read',
  'unfinished-read',
  'real-person',
  'moderated',
  'partial',
  'blocked',
  'cut-stream',
  'stalled-stream',
  'bare-eof',
  'in-band-error',
  'malformed-event',
] as const;
type Fault = (typeof faultWords)[number];
export type Faults = ReadonlySet<Fault>;

/** The faults that the texts of a request ask for. Other words after `fault:` are ignored. */
export function findFaults(texts: readonly string[]): Faults {
  const found = new Set<Fault>();
  for (const [, word] of texts.join('\n').matchAll(/\bfault:([a-z0-9-]+)/g)) {
    const fault = faultWords.find((known) => known === word);
    if (fault) found.add(fault);
  }
  return found;
}

/** The response of a fault that prevents the creation, or undefined. */
export function refuseCreation(faults: Faults): Response | undefined {
  if (faults.has('empty-401')) return new Response(null, { status: 401 });
  if (faults.has('html-502')) return replyBadGateway();
  if (faults.has('rate-limit')) {
    throw new Refusal({
      status: 429,
      code: 'rate_limit_exceeded',
      message: 'Too many requests: try again in 2 seconds',
      headers: { 'retry-after': '2' },
    });
  }
  if (faults.has('refused')) {
    throw new Refusal({
      status: 400,
      code: 'content_policy_violation',
      type: 'invalid_request_error',
      message: 'The prompt was refused by the content policy',
    });
  }
  return undefined;
}

const slowMs = 3000;

/** Delays the reply to a paid creation, or cuts the connection before it. Undefined if the reply follows. */
export async function disturbCreation(exchange: Exchange, faults: Faults): Promise<Response | undefined> {
  return (await delayReply(exchange, faults)) ? loseReply(exchange, faults) : RESPONSE_ALREADY_SENT;
}

/** Plays `fault:slow`. Resolves to false if the client disconnects meanwhile. */
export async function delayReply(exchange: Exchange, faults: Faults): Promise<boolean> {
  return !faults.has('slow') || waitWhileOpen(exchange.env.outgoing, slowMs);
}

/** Plays `fault:cut`: the connection is lost before the reply. Undefined if the reply follows. */
export function loseReply(exchange: Exchange, faults: Faults): Response | undefined {
  if (!faults.has('cut')) return undefined;
  cutConnection(exchange.env.outgoing, { isReset: true });
  return RESPONSE_ALREADY_SENT;
}

/** A task whose reads can fail. */
export interface ReadableTask {
  readonly faults: Faults;
  reads: number;
}

/** Counts a read of these tasks and plays the faults of reads. Undefined if the reply follows. */
export async function disturbRead<Task extends ReadableTask>(
  exchange: Exchange,
  tasks: readonly Task[],
  phaseOf: (task: Task) => Phase,
): Promise<Response | undefined> {
  for (const task of tasks) task.reads += 1;
  if (tasks.some(({ faults }) => faults.has('refused-read'))) {
    throw new Refusal({ status: 401, code: 'invalid_api_key', message: 'The key may not read this task' });
  }
  if (tasks.some((task) => task.faults.has('unfinished-read') && isEarly(task, phaseOf(task))))
    return Response.json({ detail: 'Request is still in progress' }, { status: 400 });
  if (tasks.some(({ faults, reads }) => faults.has('flaky-read') && reads % 2 === 0)) {
    throw new Refusal({
      status: 503,
      code: 'upstream_unavailable',
      message: 'The upstream channel is unavailable',
    });
  }
  if (!tasks.some(({ faults }) => faults.has('slow-read'))) return undefined;
  const isOpen = await waitWhileOpen(exchange.env.outgoing, slowMs);
  return isOpen ? undefined : RESPONSE_ALREADY_SENT;
}

/** The false state that a read shows because of a fault. */
export interface Distortion {
  readonly shownPhase: Phase | 'unknown';
  readonly isResultHidden: boolean;
}

/** The effect of a fault on a read. Each shows at least in the first read, even if tasks take no time. */
export function findDistortion(task: ReadableTask, phase: Phase): Distortion {
  const { faults } = task;
  const early = isEarly(task, phase);
  if (early && faults.has('unknown-status')) return { shownPhase: 'unknown', isResultHidden: true };
  if (early && faults.has('contradict')) return { shownPhase: 'succeeded', isResultHidden: true };
  const isContradicted = phase === 'succeeded' && faults.has('contradict-late');
  return { shownPhase: isContradicted ? 'running' : phase, isResultHidden: false };
}

function isEarly({ reads }: ReadableTask, phase: Phase): boolean {
  return !isTerminal(phase) || (phase === 'succeeded' && reads <= 1);
}

/** A status that no client knows. */
export const unknownWord = 'simmering';

function replyBadGateway(): Response {
  const page =
    '<html>\n<head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad Gateway</h1><hr>proxy</body>\n</html>\n';
  return new Response(page, { status: 502, headers: { 'content-type': 'text/html' } });
}
