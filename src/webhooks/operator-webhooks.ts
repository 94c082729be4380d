import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Config, ConfigError } from '../config.ts';
import { endStatuses, type WebhookSetup } from '../store/webhook-records.ts';
import { listsHost } from '../webhook-settings.ts';
import { decodeSecret } from './sign.ts';
import { codeOf } from '../lib/thrown.ts';

/** A webhook of the settings. */
export type OperatorWebhook = WebhookSetup['operator'][number] & {
  readonly name: string;
  /** Keys of its signatures, decoded. */
  readonly keys: readonly Uint8Array[];
};

const error =
  'expected whsec_ and 24 to 64 bytes in base64, such as from: echo "whsec_$(openssl rand -base64 32)"';
const secret = z.string({ error }).refine((text) => decodeSecret(text) !== undefined, { error });
const hasNoUser = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.username === '' && url.password === '';
};
const names = z.array(z.string().min(1).max(1000)).min(1).max(1000);

const webhook = z.strictObject({
  name: z.string().regex(/^[\w-]{1,64}$/, { error: 'expected up to 64 letters, digits, _ and -' }),
  url: z.url({ protocol: /^https?$/, error: 'expected an https URL' }).refine(hasNoUser, {
    error: 'expected a URL without user and password',
  }),
  secret: z.union([secret.transform((one) => [one]), z.array(secret).min(1).max(5)], { error }),
  kinds: names.optional(),
  statuses: z
    .array(z.enum(endStatuses, { error: `expected one of ${endStatuses.join(', ')}` }))
    .min(1)
    .optional(),
  collections: names.optional(),
  includeContent: z.boolean().default(false),
});

const webhooks = z
  .array(webhook)
  .max(100)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
    error: 'expected a different name for each webhook',
  });

/**
 * The webhooks of the setting WEBHOOKS.
 * @throws ConfigError that names what is wrong, without any secret
 */
export function readOperatorWebhooks(
  { WEBHOOKS: setting, WEBHOOK_HOSTS: hosts = [] }: Pick<Config, 'WEBHOOKS' | 'WEBHOOK_HOSTS'>,
  kinds: ReadonlySet<string>,
): readonly OperatorWebhook[] {
  if (setting === undefined) return [];
  const parsed = webhooks.safeParse(readJson(setting), { jitless: true });
  if (!parsed.success)
    throw refuse(parsed.error.issues.map(({ path, message }) => `${toPlace(path)}: ${message}`));
  const problems = parsed.data.flatMap(({ name, url, kinds: wanted = [] }) => [
    ...(new URL(url).protocol === 'https:' || listsHost(hosts, new URL(url))
      ? []
      : [`${name}: expected an https URL, or a host that WEBHOOK_HOSTS lists`]),
    ...wanted.filter((kind) => !kinds.has(kind)).map((kind) => `${name}: there is no kind ${kind}`),
  ]);
  if (problems.length > 0) throw refuse(problems);
  return parsed.data.map(({ name, secret: secrets, includeContent: hasContent, ...rest }) => ({
    ...rest,
    id: `operator_${name}`,
    name,
    hasContent,
    keys: secrets.flatMap((text) => decodeSecret(text) ?? []),
  }));
}

function readJson(setting: string): unknown {
  const isInline = setting.startsWith('[');
  let text = setting;
  try {
    if (!isInline) text = readFileSync(setting, 'utf8');
  } catch (error) {
    // The message of the error has the path. That may be JSON in quotes, with secrets.
    const reason = codeOf(error) || 'it cannot be read';
    throw refuse([`expected JSON that begins with [, or the path of a file with it: ${reason}`]);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The message of the error could show a secret.
    throw refuse([isInline ? 'the value is not valid JSON' : `${setting} is not valid JSON`]);
  }
}

function toPlace(path: readonly PropertyKey[]): string {
  return path.length === 0
    ? 'the list'
    : path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
}

function refuse(problems: readonly string[]): ConfigError {
  return new ConfigError(`Invalid setting: WEBHOOKS: ${problems.join('; ')}`);
}
