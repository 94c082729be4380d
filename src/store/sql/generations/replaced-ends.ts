import type { GenerationPatch, GenerationSummary } from '../../records.ts';

interface StoredEnd {
  readonly stored: GenerationSummary;
  /** The instance that may replace the stored end. */
  readonly endedFor: string | undefined;
  /** This instance. */
  readonly instanceId: string;
  /** Whether another instance is alive. */
  readonly isAlive: (id: string) => Promise<boolean>;
}

/**
 * The part of an end that applies to a stored generation: all of it if that has not ended. An end that another instance recorded
 * for one that seemed dead is an assumption. The true end of that instance replaces it, and so does a cancel by its client while
 * that instance is alive and can stop. Work that was lost with its instance cannot be canceled: it may have been charged.
 */
export async function toEndPatch(
  end: GenerationPatch,
  { stored, endedFor, instanceId, isAlive }: StoredEnd,
): Promise<GenerationPatch> {
  if (stored.finishedAt === undefined) return end;
  const isReplaced =
    endedFor !== undefined &&
    (endedFor === instanceId || (end.status === 'CANCELED' && (await isAlive(endedFor))));
  return isReplaced ? { error: undefined, ...end } : toLatePatch(end);
}

/** The part of an end that still applies to a generation that has already ended. */
function toLatePatch({ output, usage, raw, firstTokenMs, filesDueAt }: GenerationPatch): GenerationPatch {
  return {
    ...(output !== undefined && { output }),
    ...(usage !== undefined && { usage }),
    ...(raw !== undefined && { raw }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(filesDueAt !== undefined && { filesDueAt }),
  };
}
