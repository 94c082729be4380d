import { z } from 'zod';
import { asRecord } from './lib/json.ts';

/** How much an owner may spend. A limit that is undefined does not apply. */
export interface CallerLimits {
  readonly createsPerMinute?: number | undefined;
  /** Generations that have not ended, with creates that are being sent. */
  readonly running?: number | undefined;
  /** By kind. `*` limits the sum of all kinds. A day is a day in UTC. */
  readonly createsPerDay?: Readonly<Record<string, number>> | undefined;
  /** As the gateway reported them. */
  readonly tokensPerDay?: number | undefined;
}

/** The limits that a token sets for its owner. Null removes a limit. */
export type LimitClaims = { readonly [Name in keyof CallerLimits]: CallerLimits[Name] | null };

/** Limits the sum of all kinds. */
export const allKinds = '*';

const maxCreates = 1_000_000_000;
const maxTokens = 1_000_000_000_000;
const isAmount = (value: number, max: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= max;

const amount = (max: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && isAmount(Number(text), max), {
      error: `expected a whole number from 0 to ${max}`,
    })
    .transform(Number);
const kindName = /^(\*|[A-Z][A-Z_]*)$/;
const toPairs = (text: string): readonly (readonly [string, string])[] =>
  text.split(',').map((item) => {
    const [name = '', value = '', ...rest] = item.split('=').map((part) => part.trim());
    return [name, rest.length > 0 ? '' : value];
  });
const amountsByKind = z
  .string()
  .refine(
    (text) => {
      const pairs = toPairs(text);
      const isEveryPair = pairs.every(
        ([name, value]) =>
          kindName.test(name) && /^\d{1,10}$/.test(value) && isAmount(Number(value), maxCreates),
      );
      return isEveryPair && new Set(pairs.map(([name]) => name)).size === pairs.length;
    },
    {
      error: `expected KIND=number pairs such as CHAT=1000,VIDEO=10,*=2000, separated by commas, with numbers from 0 to ${maxCreates}`,
    },
  )
  .transform((text): Readonly<Record<string, number>> =>
    Object.fromEntries(toPairs(text).map(([name, value]) => [name, Number(value)])),
  );

/** Limits of every owner, unless a token has its own. */
export const limitSettings = {
  MAX_CREATES_PER_MINUTE_PER_OWNER: amount(maxCreates).optional(),
  MAX_RUNNING_PER_OWNER: amount(maxCreates).optional(),
  MAX_CREATES_PER_DAY_PER_OWNER: amountsByKind.optional(),
  MAX_TOKENS_PER_DAY_PER_OWNER: amount(maxTokens).optional(),
};

type LimitSettings = z.output<z.ZodObject<typeof limitSettings>>;

export function limitsOfSettings(settings: LimitSettings): CallerLimits {
  return {
    createsPerMinute: settings.MAX_CREATES_PER_MINUTE_PER_OWNER,
    running: settings.MAX_RUNNING_PER_OWNER,
    createsPerDay: settings.MAX_CREATES_PER_DAY_PER_OWNER,
    tokensPerDay: settings.MAX_TOKENS_PER_DAY_PER_OWNER,
  };
}

const claimed = (max: number) => z.number().int().min(0).max(max).nullable().optional();
/** Strict: a misspelled limit would not apply. */
const limitClaims = z.strictObject({
  createsPerMinute: claimed(maxCreates),
  running: claimed(maxCreates),
  createsPerDay: z
    .record(z.string().regex(kindName), z.number().int().min(0).max(maxCreates))
    .nullable()
    .optional(),
  tokensPerDay: claimed(maxTokens),
});

/**
 * Decodes the claim `limits` of a token.
 * @returns the problem as text if the claim cannot be read
 */
export function decodeLimitClaims(claim: unknown, kinds: ReadonlySet<string>): LimitClaims | string {
  if (claim === undefined) return {};
  const { data, error } = limitClaims.safeParse(claim);
  if (error) {
    const [issue] = error.issues;
    const path = issue?.path.join('.') ?? '';
    return `${path === '' ? '' : `"${path}": `}${issue?.message ?? 'it is malformed'}`;
  }
  const amounts = data.createsPerDay ?? {};
  // zod's records skip a member named `__proto__`.
  const skipped = Object.keys(asRecord(asRecord(claim)?.['createsPerDay']) ?? {}).find(
    (name) => !Object.hasOwn(amounts, name),
  );
  const unknown = skipped ?? findUnknownKind(amounts, kinds);
  return unknown === undefined ? data : `"createsPerDay": there is no kind ${unknown}`;
}

/** A kind that no capability has. Its limit would not apply. */
export function findUnknownKind(
  amounts: Readonly<Record<string, number>>,
  kinds: ReadonlySet<string>,
): string | undefined {
  return Object.keys(amounts).find((kind) => kind !== allKinds && !kinds.has(kind));
}

/** The limits of the settings, with those of a token in their place. Undefined if none applies. */
export function combineLimits(settings: CallerLimits, claims: LimitClaims = {}): CallerLimits | undefined {
  const given = Object.entries(claims).filter(([, value]) => value !== undefined);
  const members = Object.entries({ ...settings, ...Object.fromEntries(given) }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
