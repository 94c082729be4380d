import { RequestError } from '../errors.ts';

/** Limits the size of one answer: of a query or mutation, or of one event of a subscription. */
export interface AnswerBudget {
  /** Reserves bytes of records, before they are read. False if the budget does not allow it. */
  admitRead(bytes: number): boolean;
  /** Counts a value each time a field returns it. False if the answer has no room for it. */
  admitValue(bytes: number, objects: number): boolean;
  /** Size of the values so far. */
  readonly answerBytes: number;
  /** Room for values. */
  readonly remainingBytes: number;
  /** For a value without room. Always the same error, so that many are cheap. */
  readonly error: RequestError;
  /** Counts a value without room. Returns whether to report it: the first ones are reported, the others are only counted. */
  countLeftOut(): boolean;
  /** Values without room that were not reported. */
  readonly unreported: number;
}

/** Objects of one answer, inside lists included. */
export const maxAnswerObjects = 100_000;

/** Errors for values without room. One further error has the number of the others. */
const maxReported = 100;

export function createAnswerBudget(maxBytes: number): AnswerBudget {
  let readBytes = 0;
  let answerBytes = 0;
  let answerObjects = 0;
  let leftOut = 0;
  let error: RequestError | undefined;
  return {
    admitRead(bytes) {
      if (readBytes + bytes > maxBytes) return false;
      readBytes += bytes;
      return true;
    },
    admitValue(bytes, objects) {
      if (answerBytes + bytes > maxBytes || answerObjects + objects > maxAnswerObjects) return false;
      answerBytes += bytes;
      answerObjects += objects;
      return true;
    },
    get answerBytes() {
      return answerBytes;
    },
    get remainingBytes() {
      return maxBytes - answerBytes;
    },
    get error() {
      return (error ??= new RequestError(
        'LIMIT_EXCEEDED',
        `The answer has no room for this value: it is limited to ${maxBytes} bytes and ${maxAnswerObjects} objects. Select fewer fields or request smaller pages.`,
      ));
    },
    countLeftOut() {
      leftOut += 1;
      return leftOut <= maxReported;
    },
    get unreported() {
      return Math.max(0, leftOut - maxReported);
    },
  };
}
