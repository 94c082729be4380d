import { type ExpectedErrorFacts, type LimitUse, RateLimitError, roomOf } from '../errors.ts';

/** Work may end, and a create that is being sent may be refused, at any time. */
const anyTimeRetrySeconds = 10;

/** The refusal of a create whose owner has used a limit. */
export function toRateLimitError(use: LimitUse, now: number): RateLimitError {
  const { advice, ...facts } = toAdvice(use, now);
  return new RateLimitError(
    `This caller has reached the limit of ${describe(use)}. Nothing was sent. ${advice}`,
    { limit: use.limit, ...facts },
  );
}

function toAdvice(
  use: LimitUse,
  instanceNow: number,
): { readonly advice: string } & Pick<ExpectedErrorFacts, 'retry' | 'retryAfterSeconds'> {
  const { limit, measuredAt: now = instanceNow, resetsAt = now } = use;
  const room = roomOf(use);
  switch (room) {
    case 'never':
      return { advice: 'It allows none.', retry: 'NEVER' };
    case 'any-time':
      return {
        advice:
          limit === 'RUNNING'
            ? 'Retry when one has ended, or cancel one.'
            : 'Some of them are still being sent. Retry when the gateway has answered them.',
        retryAfterSeconds: anyTimeRetrySeconds,
      };
    case 'reset':
      return {
        advice: `Retry after ${new Date(resetsAt).toISOString()}.`,
        retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now) / 1000)),
      };
    default:
      return room satisfies never;
  }
}

function describe({ limit, kind, max }: LimitUse): string {
  switch (limit) {
    case 'CREATES_PER_MINUTE':
      return `${max} creates per minute`;
    case 'RUNNING':
      return `${max} running generations`;
    case 'CREATES_PER_DAY':
      return kind === undefined ? `${max} creates per day` : `${max} creates of kind ${kind} per day`;
    case 'TOKENS_PER_DAY':
      return `${max} reported tokens per day`;
    default:
      return limit satisfies never;
  }
}
