import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { quotaExhausted } from '../access/credentials.ts';
import { cutConnection } from '../http/cut-connection.ts';
import { rateLimited, toErrorBody } from '../http/errors.ts';
import { sendPaced, waitWhileOpen, type StreamEnding } from '../http/paced-writes.ts';
import { replyJson } from '../http/routes.ts';
import type { Answer } from './answer.ts';
import { toCompletion } from './wire.ts';

const slowMs = 3000;

/** An upstream failure in the middle of a reply, or under HTTP 200. */
export const inBandError = toErrorBody({
  message: 'The upstream channel failed while it was generating',
  type: 'upstream_error',
  code: 'upstream_failed',
});

/** Applies the fault that the model's name requests. Undefined if the normal answer follows. */
export async function applyReplyFault(answer: Answer): Promise<Response | undefined> {
  const { exchange, name, request } = answer;
  const { outgoing } = exchange.env;
  switch (name.base) {
    case 'fault-empty-401':
      return new Response(null, { status: 401 });
    case 'fault-html-500':
      return replyHtml(500, 'Internal Server Error');
    case 'fault-html-502':
      return replyHtml(502, 'Bad Gateway');
    case 'fault-success-false':
      return replyJson(exchange, { success: false, message: 'The upstream channel refused the request' });
    case 'fault-rate-limit':
      throw rateLimited();
    case 'fault-quota':
      throw quotaExhausted(0n);
    case 'fault-slow':
      return (await waitWhileOpen(outgoing, slowMs)) ? undefined : RESPONSE_ALREADY_SENT;
    case 'fault-json-error-200':
      return replyJson(exchange, inBandError);
    case 'fault-not-json':
      return exchange.text('ok');
    case 'fault-reset':
      cutConnection(outgoing, { isReset: true });
      return RESPONSE_ALREADY_SENT;
    default:
      return request.stream === true ? replaceStream(answer) : disturbWhole(answer);
  }
}

function replaceStream({ exchange, name, head, reply, charge }: Answer): Response | undefined {
  if (name.base !== 'fault-json-body') return undefined;
  charge(reply.usage.promptTokens + reply.usage.completionTokens);
  return replyJson(exchange, toCompletion(head, reply));
}

/** Applies the stream faults to a request that does not stream. */
function disturbWhole(answer: Answer): Response | undefined | Promise<Response> {
  switch (answer.name.base) {
    case 'fault-cut-stream':
      return replyHalf(answer, 'cut');
    case 'fault-stalled-stream':
      return replyHalf(answer, 'stall');
    case 'fault-bare-eof':
    case 'fault-malformed-chunk':
      return replyHalf(answer, 'end');
    case 'fault-in-band-error':
      return replyJson(answer.exchange, inBandError);
    default:
      return undefined;
  }
}

function replyHtml(status: number, title: string): Response {
  const page = `<html>\n<head><title>${status} ${title}</title></head>\n<body><h1>${status} ${title}</h1><hr>proxy</body>\n</html>\n`;
  return new Response(page, { status, headers: { 'content-type': 'text/html' } });
}

/** Sends the first half of the JSON body, then ends, cuts or stalls the reply. */
async function replyHalf({ exchange, head, reply }: Answer, ending: StreamEnding): Promise<Response> {
  const { outgoing } = exchange.env;
  const json = JSON.stringify(toCompletion(head, reply));
  const text = json.slice(0, Math.floor(json.length / 2));
  outgoing.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  await sendPaced({ outgoing, writes: [{ text, steps: 0, tokens: 0, isFlushed: true }], ending });
  return RESPONSE_ALREADY_SENT;
}
