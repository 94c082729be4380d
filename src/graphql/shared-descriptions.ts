/**
 * Descriptions of members that many types have. The SDL prints such a member without its description: the description
 * of a root type or an interface states the rule once. Introspection has both.
 */
export const shared = {
  idempotencyKey: 'Reuse it to retry. Up to 200 characters.',
  collection: 'Your label, up to 200 characters.',
  minIntervalMs:
    'Minimum time between events, 0 to 10000. Deltas coalesce. Default: 0, or 100 if deltas select `soFar`.',
  after:
    'Your last `sequence`: skips earlier deltas. Omit it if your client retries with unchanged variables.',
  extra: 'Other members, by wire name.',
  totalCount: 'Items on all pages, at most 10000.',
  isTotalCapped: 'Whether there may be more than `totalCount`.',
  cursor: 'Position of the item.',
  generationId: 'Generation id.',
  message: 'For people.',
  upstreamCode: "The gateway's error code, if any.",
} as const;

const descriptions: ReadonlySet<unknown> = new Set(Object.values(shared));

export function isShared(description: string | null | undefined): boolean {
  return descriptions.has(description);
}
