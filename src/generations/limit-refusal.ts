import { type LimitUse, RateLimitError } from '../errors.ts';

/** Work may end at any time. */
const runningRetrySeconds = 10;

/** The refusal of a create whose owner has used a limit. */
export function toRateLimitError(use: LimitUse, now: number): RateLimitError {
  const { limit, resetsAt } = use;
  const retryAfterSeconds =
    resetsAt === undefined ? runningRetrySeconds : Math.max(1, Math.ceil((resetsAt - now) / 1000));
  const advice =
    resetsAt === undefined
      ? 'Retry when one has ended, or cancel one.'
      : `Retry after ${new Date(resetsAt).toISOString()}.`;
  return new RateLimitError(
    `This caller has reached the limit of ${describe(use)}. Nothing was sent. ${advice}`,
    {
      limit,
      retryAfterSeconds,
    },
  );
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
