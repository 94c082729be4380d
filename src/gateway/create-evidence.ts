import type { Json } from '../lib/json.ts';

/** How a family reads its replies. */
export interface CreateEvidence {
  /** Finds a task or a result. An error beside it does not refuse the create, which may be paid. */
  readonly isAccepted?: (body: Json) => boolean;
  /** Finds what no later read returns. Nothing beside it refuses the create. */
  readonly hasSecret?: (body: Json) => boolean;
}
