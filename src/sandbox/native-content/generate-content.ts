import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { chooseChannel } from '../access/channels.ts';
import { requireModel, requireQueryKey, requireQuota } from '../access/credentials.ts';
import { randomText } from '../access/tokens.ts';
import { parseModelName } from '../chat/model-name.ts';
import { countLongest, type Reply } from '../chat/reply.ts';
import { waitWhileOpen } from '../http/paced-writes.ts';
import { getJsonBody, getQuery, replyJson, type Exchange, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { toImageMs, waitUntil } from '../images/pace.ts';
import { delayReply, findFaults, loseReply, refuseCreation } from '../tasks/faults.ts';
import { readContents } from './read-contents.ts';
import { contentRequest } from './requests.ts';
import { toBlockedResponse, toResponse } from './wire.ts';
import { composeText, isForImage, paintReply, toTextReply, type ContentOrder } from './write-content.ts';

/** `POST /v1beta/models/{model_id}:generateContent` */
export const handleGenerateContent: Handler = async (exchange, services) => {
  const token = requireQueryKey(exchange, services);
  getQuery(exchange, ['key']);
  const request = decodeStrictly(contentRequest, getJsonBody(exchange, { isContentTypeRequired: true }));
  const modelId = (exchange.req.param('call') ?? '').replace(/:generateContent$/, '');
  const name = parseModelName(modelId);
  requireModel(token, [modelId, name.base]);
  const { channel, model } = chooseChannel(token.groups, name.base);
  const contents = await readContents(request, services.media);
  const order: ContentOrder = { services, request, name, contents };
  const reply = composeText(order);
  requireQuota(token, reply.usage.promptTokens * channel.ratio);

  // Only the last content can request a fault, so that a conversation can continue after one.
  const faults = findFaults([contents.lastText]);
  const refused = refuseCreation(faults);
  if (refused) return refused;
  if (!(await delayReply(exchange, faults))) return RESPONSE_ALREADY_SENT;
  const head = { modelVersion: model, responseId: randomText(22, services.random) };
  if (faults.has('blocked')) return replyJson(exchange, toBlockedResponse(reply.usage.promptTokens, head));

  if (!(await work(exchange, order, reply))) return RESPONSE_ALREADY_SENT;
  const content = isForImage(order) ? await paintReply(order, reply) : toTextReply(order, reply);
  if (exchange.env.outgoing.destroyed) return RESPONSE_ALREADY_SENT;
  const { promptTokens, completionTokens } = content.usage;
  services.tokens.charge(token, (promptTokens + completionTokens) * channel.ratio);
  return loseReply(exchange, faults) ?? replyJson(exchange, toResponse(content, head));
};

/** Waits as long as a model would work. Resolves to false if the client disconnects. */
function work(exchange: Exchange, order: ContentOrder, reply: Reply): Promise<boolean> {
  const { services } = order;
  if (isForImage(order)) return waitUntil(exchange, services, services.clock() + toImageMs(services));
  return waitWhileOpen(exchange.env.outgoing, (countLongest(reply) * 1000) / services.tokensPerSecond);
}
