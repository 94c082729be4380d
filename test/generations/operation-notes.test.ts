import { expect, test } from 'vitest';
import { createOperationNotes, noteOrigin } from '../../src/generations/operation-notes.ts';

test('the traces of repeated creates are noted once, and none of creates without a trace', () => {
  const notes = createOperationNotes();
  for (const traceparent of ['00-a', undefined, '00-b', '00-a']) noteOrigin(notes, traceparent);
  expect([...notes.origins]).toEqual(['00-a', '00-b']);
});
