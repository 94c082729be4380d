import { expect, test } from 'vitest';
import { chatKind } from '../../../src/capabilities/chat/chat-kind.ts';

test.each([
  [{ error: { message: 'No' } }, true],
  // An error beside members of a reply.
  [{ id: 'c', choices: [], error: 'No' }, true],
  // An error without a member named error.
  [{ success: false, message: 'No' }, true],
  [{ code: 1004, message: 'No' }, true],
  [{ id: 'c', choices: [], error: '' }, false],
  [{ id: 'c', choices: [] }, false],
])('a reply of %j is a refusal: %s', (body, isRefusal) => {
  expect(chatKind.isRefusal?.(body)).toBe(isRefusal);
});
