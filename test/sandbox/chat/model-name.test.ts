import { expect, test } from 'vitest';
import { parseModelName } from '../../../src/sandbox/chat/model-name.ts';

test.each([
  ['gpt-4o', { base: 'gpt-4o', isThinking: false, isSearch: false, effort: undefined }],
  ['gpt-4o-thinking', { base: 'gpt-4o', isThinking: true, isSearch: false, effort: undefined }],
  ['gpt-4o-search', { base: 'gpt-4o', isThinking: false, isSearch: true, effort: undefined }],
  ['gpt-4o-search-thinking', { base: 'gpt-4o', isThinking: true, isSearch: true, effort: undefined }],
  ['o3-mini-high', { base: 'o3-mini', isThinking: false, isSearch: false, effort: 'high' }],
  ['speech-high', { base: 'speech-high', isThinking: false, isSearch: false, effort: undefined }],
  ['-thinking', { base: '-thinking', isThinking: false, isSearch: false, effort: undefined }],
  ['thinking', { base: 'thinking', isThinking: false, isSearch: false, effort: undefined }],
])('%s', (requested, expected) => {
  expect(parseModelName(requested)).toEqual(expected);
});
