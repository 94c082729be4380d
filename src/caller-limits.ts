import { z } from 'zod';
import { asRecord } from './lib/json.ts';
import { abbreviate } from './lib/text.ts';
import { whole } from './setting-types.ts';

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

/** The limits that a token sets for its owner. Null removes a limit, undefined keeps that of the settings. */
export interface LimitClaims {
  readonly createsPerMinute?: number | null | undefined;
  readonly running?: number | null | undefined;
  /** A kind that is absent keeps its limit. Null in place of the object removes the limits of all kinds. */
  readonly createsPerDay?: Readonly<Record<string, number | null>> | null | undefined;
  readonly tokensPerDay?: number | null | undefined;
}

/** Limits the sum of all kinds. */
export const allKinds = '*';

const maxCreates = 1_000_000_000;
/** The check of a create counts the unfinished tasks of its owner, so their number is limited. */
export const maxRunning = 10_000;
const maxTokens = 1_000_000_000_000;
const isAmount = (value: number, max: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= max;

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
  MAX_CREATES_PER_MINUTE_PER_OWNER: whole(0, maxCreates).optional(),
  MAX_RUNNING_PER_OWNER: whole(0, maxRunning).optional(),
  MAX_CREATES_PER_DAY_PER_OWNER: amountsByKind.optional(),
  MAX_TOKENS_PER_DAY_PER_OWNER: whole(0, maxTokens).optional(),
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

const claimed = (max: number) =>
  z
    .custom<number>((value) => typeof value === 'number' && isAmount(value, max), {
      error: ({ input }) => `expected a whole number from 0 to ${max}, or null, not ${printClaim(input)}`,
    })
    .nullable();
/** Strict: a misspelled limit would not apply. */
const limitClaims = z.strictObject(
  {
    createsPerMinute: claimed(maxCreates).optional(),
    running: claimed(maxRunning).optional(),
    createsPerDay: z
      .record(z.string(), claimed(maxCreates), {
        error: ({ input }) =>
          `expected whole numbers by kind, such as {"CHAT": 500, "*": 600}, or null, not ${printClaim(input)}`,
      })
      .nullable()
      .optional(),
    tokensPerDay: claimed(maxTokens).optional(),
  },
  { error: ({ input }) => `expected an object with ${claimNames()}, not ${printClaim(input)}` },
);

function claimNames(): string {
  return Object.keys(limitClaims.shape).join(', ');
}

function printClaim(value: unknown): string {
  return abbreviate(JSON.stringify(value) ?? 'undefined', 100);
}

/** Problems that one message lists. */
const maxProblems = 5;

/**
 * Decodes the claim `limits` of a token.
 * @param kinds those that creates make
 * @returns the problems as text if the claim cannot be read
 */
export function decodeLimitClaims(claim: unknown, kinds: ReadonlySet<string>): LimitClaims | string {
  if (claim === undefined) return {};
  const { data, error } = limitClaims.safeParse(claim);
  if (error) {
    const problems = error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `"${abbreviate(key, 100)}" is unknown: expected ${claimNames()}`)
        : [issue.path.length === 0 ? issue.message : `"${issue.path.join('.')}": ${issue.message}`],
    );
    return problems.slice(0, maxProblems).join('; ');
  }
  // Of the claim as received: zod's records skip a member named `__proto__`.
  const unknown = explainUnknownKind(asRecord(asRecord(claim)?.['createsPerDay']) ?? {}, kinds);
  return unknown === undefined ? data : `"createsPerDay": ${unknown}`;
}

/** Explains a kind that no create makes. Its limit would not apply. */
export function explainUnknownKind(
  amounts: Readonly<Record<string, unknown>>,
  kinds: ReadonlySet<string>,
): string | undefined {
  const unknown = Object.keys(amounts).find((kind) => kind !== allKinds && !kinds.has(kind));
  return unknown === undefined
    ? undefined
    : `there is no kind ${abbreviate(unknown, 100)} to create. The kinds are ${[...kinds].join(', ')}`;
}

/** The limits of the settings, with those of a token in their place. Undefined if none applies. */
export function combineLimits(settings: CallerLimits, claims: LimitClaims = {}): CallerLimits | undefined {
  const limits: CallerLimits = {
    createsPerMinute: chooseLimit(settings.createsPerMinute, claims.createsPerMinute),
    running: chooseLimit(settings.running, claims.running),
    createsPerDay: combineKinds(settings.createsPerDay, claims.createsPerDay),
    tokensPerDay: chooseLimit(settings.tokensPerDay, claims.tokensPerDay),
  };
  return Object.values(limits).every((limit) => limit === undefined) ? undefined : limits;
}

function chooseLimit(setting: number | undefined, claim: number | null | undefined): number | undefined {
  return claim === undefined ? setting : (claim ?? undefined);
}

function combineKinds(
  settings: CallerLimits['createsPerDay'],
  claims: LimitClaims['createsPerDay'],
): CallerLimits['createsPerDay'] {
  if (claims === null) return undefined;
  const amounts = Object.entries({ ...settings, ...claims }).flatMap(([kind, amount]) =>
    amount === null ? [] : [[kind, amount] as const],
  );
  return amounts.length === 0 ? undefined : Object.fromEntries(amounts);
}

/** The limits of each owner on one line. Undefined if there are none. */
export function describeLimits(limits: CallerLimits): string | undefined {
  const { createsPerMinute, running, createsPerDay = {}, tokensPerDay } = limits;
  const kinds = Object.entries(createsPerDay).map(([kind, amount]) => `${kind}=${amount}`);
  const parts = [
    ...(createsPerMinute === undefined ? [] : [`${createsPerMinute} creates per minute`]),
    ...(running === undefined ? [] : [`${running} running generations`]),
    ...(kinds.length === 0 ? [] : [`${kinds.join(',')} creates per day`]),
    ...(tokensPerDay === undefined ? [] : [`${tokensPerDay} reported tokens per day`]),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
