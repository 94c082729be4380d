import { z } from 'zod';
import { isKnownGroup } from '../access/channels.ts';
import { requireSystemToken } from '../access/credentials.ts';
import { parseIpList, type IpList } from '../access/ip-list.ts';
import type { Token } from '../access/tokens.ts';
import { invalidRequest } from '../http/errors.ts';
import { getJsonBody, replyJson, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';

type TokenRequest = z.output<typeof tokenRequest>;

/** `POST /api/token/` */
export const handleCreateToken: Handler = (exchange, services) => {
  requireSystemToken(exchange);
  const body = getJsonBody(exchange, { isContentTypeRequired: true });
  const request = decodeStrictly(tokenRequest, body);
  refuseContradictions(request, services.clock());
  const token = services.tokens.create({
    name: request.name,
    remainQuota: request.remain_quota,
    expiresAtSeconds: request.expired_time === -1 ? undefined : request.expired_time,
    isUnlimited: request.unlimited_quota,
    models: request.model_limits_enabled ? new Set(splitList(request.model_limits)) : undefined,
    allowedIps: decodeAllowedIps(request.allow_ips),
    groups: decodeGroups(request.group),
    sizeBytes: measure(request),
  });
  return replyJson(exchange, { success: true, message: '', data: toData(token, request) });
};

function refuseContradictions(request: TokenRequest, nowMs: number): void {
  if (!request.unlimited_quota && request.remain_quota < 0n) {
    throw invalidRequest('remain_quota: must not be negative unless unlimited_quota is true');
  }
  if (request.expired_time !== -1 && request.expired_time * 1000 <= nowMs) {
    throw invalidRequest('expired_time: is in the past (-1 means no expiry)');
  }
}

function decodeAllowedIps(lines: string): IpList | undefined {
  const parsed = parseIpList(lines);
  if ('list' in parsed) return parsed.list;
  throw invalidRequest(`allow_ips: "${parsed.wrongLine}" is neither an IP address nor a CIDR block`);
}

function decodeGroups(list: string): readonly string[] {
  const groups = splitList(list);
  const unknown = groups.find((group) => !isKnownGroup(group));
  if (unknown !== undefined) throw invalidRequest(`group: there is no group "${unknown}"`);
  return groups.length === 0 ? ['default'] : groups;
}

/** Approximate memory. An address takes the most, about 500 bytes. */
function measure({ name, model_limits: models, allow_ips: ips, group }: TokenRequest): number {
  const texts = [name, models, ips, group];
  return texts.reduce((bytes, text) => bytes + text.length, 500 * (1 + countEntries(ips, '\n')));
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function toData(token: Token, request: TokenRequest): Record<string, unknown> {
  const { model_limits_enabled, model_limits, allow_ips, group } = request;
  return {
    id: token.id,
    key: token.key,
    name: token.name,
    remain_quota: token.remainQuota,
    expired_time: request.expired_time,
    unlimited_quota: token.isUnlimited,
    model_limits_enabled,
    model_limits,
    allow_ips,
    group,
    created_time: token.createdAtSeconds,
    status: 1,
    used_quota: token.usedQuota,
  };
}

const maxQuota = 2n ** 63n - 1n;
const quota = z
  .union([z.int(), z.bigint()], { error: 'expected an integer' })
  .transform(BigInt)
  .refine((units) => units <= maxQuota && units >= -maxQuota, 'must fit into 64 bits');

/** Each address takes a hundredth of a millisecond, and memory. */
const maxEntries = 1000;

function countEntries(text: string, separator: string): number {
  return text.split(separator, maxEntries + 1).length;
}

function list(separator: string): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => countEntries(text, separator) <= maxEntries, `expected at most ${maxEntries} entries`);
}

const tokenRequest = z.strictObject({
  name: z.string(),
  remain_quota: quota,
  expired_time: z.int().min(-1),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: list(','),
  allow_ips: list('\n'),
  group: list(','),
  // Undeclared and without effect, but an example of the gateway's document sends them.
  mj_image_mode: z.unknown().optional(),
  mj_custom_proxy: z.unknown().optional(),
  selected_groups: z.array(z.string()).optional(),
});
