import { namesOf } from './lib/members.ts';
import { z } from 'zod';
import { flag, httpUrl, listOf, whole } from './setting-types.ts';

/** Asymmetric algorithms: a key set has public keys only. */
const publicAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;
/** Algorithms of a shared secret, with the length of the shortest secret in bytes (RFC 7518, section 3.2). */
const secretAlgorithms = { HS256: 32, HS384: 48, HS512: 64 } as const;

const knownAlgorithms: readonly string[] = [...publicAlgorithms, ...Object.keys(secretAlgorithms)];

const list = listOf('names', (item) => item !== '', String);
const algorithms = listOf(
  `algorithms out of ${knownAlgorithms.join(', ')}`,
  (item) => knownAlgorithms.includes(item),
  String,
);
const keySetUrl = httpUrl.refine((url) => !url.includes('@'), {
  error: 'expected a URL without user and password',
});
/** The gateway receives it as a header, and replies are searched for it. Ordinary words could contain a short one. */
const credentialPattern = /^[\u0021-\u007E]{8,}$/;
const gatewayCredential = z.string().regex(credentialPattern, {
  error: 'expected at least 8 visible ASCII characters without spaces, and without "Bearer"',
});
const claim = z.string().regex(/^\S+$/, { error: 'expected a name without spaces' });
/** Claims that differ between the tokens of one user, or that users share. */
const otherClaims: readonly string[] = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'scope', 'scp', 'limits'];
/** Members of every object, such as `__proto__`, are no claims. */
const ownerClaim = claim.refine((name) => !otherClaims.includes(name) && !(name in {}), {
  error: 'expected a claim that names a user, such as sub',
});
const modes = ['passthrough', 'jwt', 'both'] as const;

/** Who may call, and with which credential the server calls the gateway for them. */
export const authSettings = {
  AUTH: z.enum(modes, { error: `expected one of ${modes.join(', ')}` }).default('passthrough'),
  AUTH_JWKS_URL: keySetUrl.optional(),
  AUTH_JWT_SECRET: z.string().optional(),
  AUTH_ISSUER: z.string().optional(),
  AUTH_AUDIENCE: list.optional(),
  AUTH_ALGORITHMS: algorithms.optional(),
  AUTH_CLOCK_TOLERANCE_SECONDS: whole(0, 300).default(5),
  AUTH_OWNER_CLAIM: ownerClaim.default('sub'),
  AUTH_CREATE_TOKEN_SCOPE: claim.default('tokens:create'),
  AUTH_ACCESS_TOKENS_SCOPE: claim.default('tokens:read'),
  AUTH_ADOPT_TASK_SCOPE: claim.default('tasks:adopt'),
  GATEWAY_API_KEY: gatewayCredential.optional(),
  GATEWAY_API_KEY_FILE: z.string().optional(),
  GATEWAY_SYSTEM_TOKEN: gatewayCredential.optional(),
  GATEWAY_SYSTEM_TOKEN_FILE: z.string().optional(),
  GATEWAY_SYSTEM_USER: z
    .string()
    .regex(/^[\u0021-\u007E]+$/, { error: 'expected visible ASCII characters without spaces' })
    .optional(),
  GATEWAY_API_KEY_FOR_ALL: flag.default(false),
};

export function isGatewayCredential(text: string): boolean {
  return credentialPattern.test(text);
}

type AuthSettings = z.output<z.ZodObject<typeof authSettings>>;

/** Names of settings whose values are never printed. */
export const secretSettings: ReadonlySet<string> = new Set([
  'AUTH_JWT_SECRET',
  'GATEWAY_API_KEY',
  'GATEWAY_SYSTEM_TOKEN',
  'WEBHOOKS',
  'FILES_S3_SECRET_ACCESS_KEY',
]);

interface Problem {
  readonly name: keyof AuthSettings;
  readonly message: string;
}

/**
 * Combinations that cannot work or that are not safe.
 * @param isSet whether the environment names a setting
 */
export function findAuthProblems(
  settings: AuthSettings & { readonly GATEWAY_URL?: string | undefined },
  isSet: (name: string) => boolean,
): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (name: Problem['name'], message: string): void => void problems.push({ name, message });
  for (const [name, file] of credentialSettings)
    if (isSet(name) && isSet(file)) report(file, `contradicts ${name}: remove one of them`);
  const systemToken = findSetting('GATEWAY_SYSTEM_TOKEN', isSet);
  if ((systemToken !== undefined) !== isSet('GATEWAY_SYSTEM_USER'))
    report(
      systemToken ?? 'GATEWAY_SYSTEM_USER',
      'needs the other one: set both GATEWAY_SYSTEM_TOKEN and GATEWAY_SYSTEM_USER',
    );
  if (settings.AUTH === 'passthrough') checkPassThrough(settings, isSet, report);
  else checkSignIn(settings, isSet, report);
  return problems;
}

/** Credentials, and the settings of files that hold them. */
const credentialSettings = [
  ['GATEWAY_API_KEY', 'GATEWAY_API_KEY_FILE'],
  ['GATEWAY_SYSTEM_TOKEN', 'GATEWAY_SYSTEM_TOKEN_FILE'],
] as const;

/** The setting that has the credential, itself or in a file. */
function findSetting(
  wanted: (typeof credentialSettings)[number][0],
  isSet: (name: string) => boolean,
): (typeof credentialSettings)[number][number] | undefined {
  return credentialSettings.find(([name]) => name === wanted)?.find((name) => isSet(name));
}

type Report = (name: Problem['name'], message: string) => void;

function checkPassThrough(
  { GATEWAY_API_KEY_FOR_ALL: isForAll }: AuthSettings,
  isSet: (name: string) => boolean,
  report: Report,
): void {
  for (const name of namesOf(authSettings))
    if (name.startsWith('AUTH_') && isSet(name))
      report(name, 'has no effect with AUTH=passthrough: set AUTH=jwt or AUTH=both, or remove it');
  if (isForAll && findSetting('GATEWAY_API_KEY', isSet) === undefined)
    report('GATEWAY_API_KEY_FOR_ALL', 'needs GATEWAY_API_KEY');
  for (const name of credentialSettings.flat())
    if (isSet(name) && !isForAll)
      report(
        name,
        'a server that holds a key needs callers who sign in: set AUTH=jwt, or GATEWAY_API_KEY_FOR_ALL=true if everyone who reaches the server may use the key',
      );
}

function checkSignIn(
  settings: AuthSettings & { readonly GATEWAY_URL?: string | undefined },
  isSet: (name: string) => boolean,
  report: Report,
): void {
  const { AUTH_JWT_SECRET: secret, AUTH_ALGORITHMS: named } = settings;
  if (settings.GATEWAY_URL !== undefined && findSetting('GATEWAY_API_KEY', isSet) === undefined)
    report('AUTH', 'needs GATEWAY_API_KEY, the key that the server uses for everyone who signs in');
  if (!isSet('AUTH_ISSUER')) report('AUTH', 'needs AUTH_ISSUER, the `iss` claim of the tokens');
  if (isSet('AUTH_JWKS_URL') === isSet('AUTH_JWT_SECRET'))
    report('AUTH', 'needs either AUTH_JWKS_URL or AUTH_JWT_SECRET');
  if (settings.GATEWAY_API_KEY_FOR_ALL)
    report('GATEWAY_API_KEY_FOR_ALL', 'contradicts AUTH: callers have to sign in');
  if (secret === undefined) {
    if (named?.some((name) => name in secretAlgorithms))
      report('AUTH_ALGORITHMS', 'HS256, HS384 and HS512 need AUTH_JWT_SECRET, because a key set is public');
    return;
  }
  if (named?.some((name) => !(name in secretAlgorithms)))
    report('AUTH_ALGORITHMS', 'AUTH_JWT_SECRET allows only HS256, HS384 and HS512');
  const shortest = Math.max(
    ...Object.entries(secretAlgorithms).map(([name, bytes]) =>
      (named ?? ['HS256']).includes(name) ? bytes : 0,
    ),
  );
  if (Buffer.byteLength(secret) < shortest)
    report(
      'AUTH_JWT_SECRET',
      `expected at least ${shortest} bytes, such as from "openssl rand -hex ${shortest}"`,
    );
}

/** The algorithms that a server with these settings accepts. Never `none`. */
export function acceptedAlgorithms({
  AUTH_ALGORITHMS: named,
  AUTH_JWT_SECRET: secret,
}: Pick<AuthSettings, 'AUTH_ALGORITHMS' | 'AUTH_JWT_SECRET'>): readonly string[] {
  return named ?? (secret === undefined ? publicAlgorithms : ['HS256']);
}
