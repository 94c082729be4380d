/** Facts that an operation collects while it runs, for its log line, its metric, its span and its answer. */
export interface OperationNotes {
  readonly transport?: string | undefined;
  /** The program of the client, as it names itself. */
  readonly client?: { readonly clientName?: string; readonly clientVersion?: string } | undefined;
  /** Network address of the client. */
  readonly address?: string | undefined;
  /** How long it waited before it started. Absent if it started at once. */
  readonly waitedMs?: number | undefined;
  /** The setting whose limit it waited for. */
  readonly waitedFor?: string | undefined;
  /** Codes of the errors that it returns as members of result unions. */
  readonly codes: Set<string>;
  /** The limit of its owner that refused it. */
  limit?: string | undefined;
  /** The generation that it returned last. */
  generationId?: string | undefined;
  /** The task of that generation. */
  taskId?: string | undefined;
  /** Status of the last reply to a create. */
  upstreamStatus?: number | undefined;
  /** Time that the creates waited for replies of the gateway. */
  upstreamMs?: number | undefined;
  /** `traceparent` of the creates whose generations this operation returns again or follows. */
  readonly origins: Set<string>;
  /** Whether the record of an earlier create with the same key was returned: nothing was sent. */
  isReplay?: boolean | undefined;
  /** Whether it returns what no record has, such as a secret: a repeated operation would not get it. */
  isShownOnce?: boolean | undefined;
}

export function createOperationNotes(facts: Omit<OperationNotes, 'codes' | 'origins'> = {}): OperationNotes {
  return { ...facts, codes: new Set(), origins: new Set() };
}

/** Call with the `traceparent` of a generation that the operation did not create. */
export function noteOrigin(notes: OperationNotes | undefined, traceparent: string | undefined): void {
  if (traceparent !== undefined) notes?.origins.add(traceparent);
}
