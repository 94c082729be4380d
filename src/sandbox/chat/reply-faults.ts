import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { cutConnection } from '../http/cut-connection.ts';
import { Refusal, toErrorBody } from '../http/errors.ts';
import { sendPaced, waitWhileOpen, type StreamEnding } from '../http/paced-writes.ts';
import { replyJson } from '../http/routes.ts';
import type { Answer } from './answer.ts';
import { toCompletion } from './wire.ts';

type Fault = (answer: Answer) => Response | undefined | Promise<Response | undefined>;

/** Plays the fault that the model's name asks for in place of an answer; undefined where an answer follows. */
export async function applyReplyFault(answer: Answer): Promise<Response | undefined> {
  const { base } = answer.name;
  const isStream = answer.request.stream === true;
  const fault = find(faults, base) ?? find(isStream ? streamOnlyFaults : wholeOnlyFaults, base);
  return fault?.(answer);
}

const slowMs = 3000;

const faults: Readonly<Record<string, Fault>> = {
  'fault-empty-401': () => new Response(null, { status: 401 }),
  'fault-html-500': () => replyHtml(500, 'Internal Server Error'),
  'fault-html-502': () => replyHtml(502, 'Bad Gateway'),
  'fault-success-false': ({ exchange }) =>
    replyJson(exchange, { success: false, message: 'The upstream channel refused the request' }),
  'fault-rate-limit': () => {
    throw new Refusal({
      status: 429,
      code: 'rate_limit_exceeded',
      message: 'Too many requests: try again in 2 seconds',
      headers: { 'retry-after': '2' },
    });
  },
  'fault-quota': () => {
    throw new Refusal({
      status: 403,
      code: 'insufficient_user_quota',
      message: "This token's quota is exhausted: 0 units remain",
    });
  },
  'fault-slow': async ({ exchange }) =>
    (await waitWhileOpen(exchange.env.outgoing, slowMs)) ? undefined : RESPONSE_ALREADY_SENT,
  'fault-json-error-200': ({ exchange }) => replyJson(exchange, inBandError),
  'fault-not-json': ({ exchange }) => exchange.text('ok'),
  'fault-reset': ({ exchange }) => {
    cutConnection(exchange.env.outgoing, { isReset: true });
    return RESPONSE_ALREADY_SENT;
  },
};

const streamOnlyFaults: Readonly<Record<string, Fault>> = {
  'fault-json-body': ({ exchange, head, reply, charge }) => {
    charge(reply.usage.promptTokens + reply.usage.completionTokens);
    return replyJson(exchange, toCompletion(head, reply));
  },
};

// What the faults of streams are where no stream was asked for.
const wholeOnlyFaults: Readonly<Record<string, Fault>> = {
  'fault-cut-stream': (answer) => replyHalf(answer, 'cut'),
  'fault-stalled-stream': (answer) => replyHalf(answer, 'stall'),
  'fault-bare-eof': (answer) => replyHalf(answer, 'end'),
  'fault-malformed-chunk': (answer) => replyHalf(answer, 'end'),
  'fault-in-band-error': ({ exchange }) => replyJson(exchange, inBandError),
};

/** What fails in the middle of a reply, or under HTTP 200. */
export const inBandError = toErrorBody({
  message: 'The upstream channel failed while it was generating',
  type: 'upstream_error',
  code: 'upstream_failed',
});

function find(table: Readonly<Record<string, Fault>>, name: string): Fault | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function replyHtml(status: number, title: string): Response {
  const page = `<html>\n<head><title>${status} ${title}</title></head>\n<body><h1>${status} ${title}</h1><hr>proxy</body>\n</html>\n`;
  return new Response(page, { status, headers: { 'content-type': 'text/html' } });
}

/** The first half of a JSON body, then the ending. */
async function replyHalf({ exchange, head, reply }: Answer, ending: StreamEnding): Promise<Response> {
  const { outgoing } = exchange.env;
  const json = JSON.stringify(toCompletion(head, reply));
  const text = json.slice(0, Math.floor(json.length / 2));
  outgoing.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  await sendPaced({
    outgoing,
    writes: [{ text, steps: 0, tokens: 0, isFlushed: true }],
    ending,
    pace: { stepsPerSecond: Infinity, firstStepMs: 0, jitter: Math.random },
    onTokens: () => {},
    onWritten: () => {},
  });
  return RESPONSE_ALREADY_SENT;
}
