import type { GenerationPatch, GenerationSummary } from '../../records.ts';

interface StoredEnd {
  readonly stored: GenerationSummary;
  /** The instance that may replace the stored end. */
  readonly endedFor: string | undefined;
  /** This instance. */
  readonly instanceId: string;
}

/**
 * The part of an end that applies to a stored generation: all of it if that has not ended. An end that another instance recorded
 * for one that seemed dead is an assumption. The true end of that instance replaces it, and so does a cancel by its client.
 */
export function toEndPatch(
  end: GenerationPatch,
  { stored, endedFor, instanceId }: StoredEnd,
): GenerationPatch {
  if (stored.finishedAt === undefined) return end;
  const isReplaced = endedFor !== undefined && (endedFor === instanceId || end.status === 'CANCELED');
  return isReplaced ? { error: undefined, ...end } : toLatePatch(end);
}

/** The part of an end that still applies to a generation that has already ended. */
function toLatePatch({ output, usage, raw, firstTokenMs }: GenerationPatch): GenerationPatch {
  return {
    ...(output !== undefined && { output }),
    ...(usage !== undefined && { usage }),
    ...(raw !== undefined && { raw }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
  };
}
