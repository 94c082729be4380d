import { chunk } from './gateway-double.ts';

export const transports = ['WebSocket', 'server-sent events'] as const;
export const letters: readonly string[] = 'abcdefghijklmnopqrst'.split('');

/** Chunks with every kind of part: one sequence number each. */
export const parts = [
  chunk({ role: 'assistant', content: 'Hi' }),
  chunk({ reasoning_content: 'so ' }),
  chunk({ reasoning_content: 'on' }),
  chunk({ content: '!' }),
  chunk({ content: 'other' }, null, 1),
  chunk({ tool_calls: [{ index: 0, id: 't', function: { name: 'f', arguments: '{"a"' } }] }, null, 1),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, null, 1),
];
