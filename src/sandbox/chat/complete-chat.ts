import { createHash } from 'node:crypto';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { chooseChannel } from '../access/channels.ts';
import { requireBearerKey, requireModel, requireQuota } from '../access/credentials.ts';
import { randomText } from '../access/tokens.ts';
import { sendPaced, waitWhileOpen, type Pace } from '../http/paced-writes.ts';
import { getJsonBody, replyJson, type Handler, type Services } from '../http/routes.ts';
import { composeReply } from './compose-reply.ts';
import type { Answer } from './answer.ts';
import { parseModelName } from './model-name.ts';
import { paintImages } from './paint-images.ts';
import { countLongest } from './reply.ts';
import { applyReplyFault } from './reply-faults.ts';
import { decodeChatRequest } from './request.ts';
import { planStream, splitSurrogate } from './stream-faults.ts';
import { listSlots, toCompletion, type WireHead } from './wire.ts';

/** `POST /v1/chat/completions` */
export const handleChatCompletion: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const request = decodeChatRequest(getJsonBody(exchange));
  const name = parseModelName(request.model);
  requireModel(token, [request.model, name.base]);
  const { channel, model } = chooseChannel(token.groups, name.base);
  const composed = composeReply({ request, name, random: services.random });
  const reply = name.base === 'fault-split-surrogate' ? splitSurrogate(composed) : composed;
  requireQuota(token, reply.usage.promptTokens * channel.ratio);
  const answer: Answer = {
    exchange,
    services,
    request,
    reply: await paintImages(reply, request, services),
    head: createHead(model, services),
    name,
    charge: (tokens) => services.tokens.charge(token, tokens * channel.ratio),
  };
  const faulty = await applyReplyFault(answer);
  if (faulty) return faulty;
  return request.stream === true ? stream(answer) : answerWhole(answer);
};

async function stream(answer: Answer): Promise<Response> {
  const { exchange, services, request, reply, head, name } = answer;
  const { outgoing } = exchange.env;
  const slots = listSlots(head, reply, { includesUsage: request.stream_options?.include_usage === true });
  const plan = planStream(name.base, slots, reply);
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  outgoing.flushHeaders();

  let produced = 0;
  let isCharged = false;
  const chargeOnce = (): void => {
    if (!isCharged) answer.charge(reply.usage.promptTokens + produced);
    isCharged = true;
  };
  // Runs before the activity log's listener, so that the quota is final when `waitUntilIdle` resolves.
  outgoing.prependOnceListener('close', () => {
    // A prompt without a reply is free.
    if (produced > 0) chargeOnce();
  });
  await sendPaced({
    outgoing,
    ...plan,
    pace: toPace(services),
    onTokens: (tokens) => {
      produced += tokens;
    },
    onWritten: chargeOnce,
  });
  return RESPONSE_ALREADY_SENT;
}

async function answerWhole({ exchange, services, reply, head, charge }: Answer): Promise<Response> {
  const { stepsPerSecond, firstStepMs } = toPace(services);
  const isOpen = await waitWhileOpen(
    exchange.env.outgoing,
    firstStepMs + (countLongest(reply) * 1000) / stepsPerSecond,
  );
  if (!isOpen) return RESPONSE_ALREADY_SENT;
  charge(reply.usage.promptTokens + reply.usage.completionTokens);
  return replyJson(exchange, toCompletion(head, reply));
}

/** In one step each choice advances by one token. */
function toPace({ tokensPerSecond, random }: Services): Pace {
  const isPaced = tokensPerSecond !== Infinity;
  // The first token of a slow model takes as long as the others.
  const firstStepMs = isPaced ? Math.max(120 + random() * 60, 1000 / tokensPerSecond) : 0;
  return { stepsPerSecond: tokensPerSecond, firstStepMs, jitter: random };
}

function createHead(model: string, { clock, random }: Services): WireHead {
  return {
    id: `chatcmpl-${randomText(29, random)}`,
    created: Math.floor(clock() / 1000),
    model,
    system_fingerprint: `fp_${createHash('sha256').update(model).digest('hex').slice(0, 10)}`,
  };
}
