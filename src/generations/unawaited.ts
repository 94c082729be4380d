import { StreamError } from '../errors.ts';

/**
 * The error of an operation whose client left before its create was sent. The client may have repeated it on another server,
 * and have got a refusal there: then it creates again, under another key.
 */
export function toUnawaited(): StreamError {
  return new StreamError('INTERRUPTED', 'The client left before its create was sent.', { retry: 'SAME_KEY' });
}
