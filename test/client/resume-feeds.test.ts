import type { Client } from 'graphql-ws';
import { expect, test } from 'vitest';
import { resumeFeeds } from '../../src/client/resume-feeds.ts';

test('a feed that is sent again continues after its last event, and other operations are sent as they were', () => {
  let sent: unknown;
  let receive: (result: { readonly data: Record<string, unknown> }) => void = () => {};
  const client = {
    // The members of `Client` that are used.
    subscribe(payload: unknown, sink: { next: typeof receive }) {
      sent = payload;
      receive = sink.next;
      return () => {};
    },
  } as Client;
  const sink = { next: () => {}, error: () => {}, complete: () => {} };
  resumeFeeds(client).subscribe({ query: 'a', variables: { after: 'one', filter: {} } }, sink);
  expect(JSON.parse(JSON.stringify(sent))).toEqual({ query: 'a', variables: { after: 'one', filter: {} } });
  receive({ data: { generationChanged: { cursor: 'two' } } });
  expect(JSON.parse(JSON.stringify(sent))).toEqual({ query: 'a', variables: { after: 'two', filter: {} } });
  resumeFeeds(client).subscribe({ query: 'b', variables: { after: 3 } }, sink);
  receive({ data: { chatEvents: { sequence: 7 } } });
  expect(JSON.parse(JSON.stringify(sent))).toEqual({ query: 'b', variables: { after: 3 } });
});
