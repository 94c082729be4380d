import { expect, test } from 'vitest';
import type { GenerationFailure } from '../../src/store/records.ts';
import { InvalidInputError, NotContinuableError } from '../../src/errors.ts';
import { fromFailure, toFailure } from '../../src/generations/failure.ts';
import { ask, chatEvents, made, startChat, toEnd } from '../support/chats.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

test.each([
  ['INTERNAL', 'StreamError'],
  ['INTERRUPTED', 'StreamError'],
  ['GATEWAY_ERROR', 'GatewayError'],
  ['RATE_LIMITED', 'RateLimitError'],
  ['QUOTA_EXCEEDED', 'QuotaError'],
  ['AUTHENTICATION_FAILED', 'AuthenticationError'],
  ['OUTCOME_UNKNOWN', 'OutcomeUnknownError'],
  ['NOT_FOUND', 'NotFoundError'],
])('a recorded %s keeps its code and message, as a %s', (code, name) => {
  const message = 'as recorded';
  expect(fromFailure({ code, message }, 'generation_x')).toMatchObject({ code, message, name });
});

test('a refusal before the claim keeps its facts, and the first of many problems', () => {
  const running = new NotContinuableError('RUNNING', 'It runs.', 'generation_parent');
  expect(fromFailure(toFailure(running), 'generation_x')).toMatchObject({
    code: 'NOT_CONTINUABLE',
    reason: 'RUNNING',
    retry: 'LATER',
    generationId: 'generation_parent',
  });
  const issues = Array.from({ length: 5000 }, (_, index) => ({ path: [String(index)], message: 'Missing.' }));
  const restored = fromFailure(toFailure(new InvalidInputError(issues)), 'generation_x');
  expect(restored).toMatchObject({ code: 'INVALID_INPUT', issues: issues.slice(0, 10) });
});

test('a code of another version is INTERNAL, as in Generation.error', () => {
  expect(fromFailure({ code: 'FROM_LATER', message: 'x' }, 'generation_x').code).toBe('INTERNAL');
});

test('the final event of a chat that another instance ended has the recorded code and advice', async () => {
  const error: GenerationFailure = { code: 'INTERNAL', message: 'An internal error stopped the chat.' };
  await using scripted = await startScripted({
    overrides: {
      wrapStore: (store) => ({
        ...store,
        endGeneration: (id, patch) => store.endGeneration(id, { ...patch, status: 'FAILED', error }),
      }),
    },
  });
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello') });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  exchange.send('[DONE]');
  expect((await toEnd(chatEvents(app.wsClient(), { id }))).at(-1)).toMatchObject({
    __typename: 'ChatFailed',
    error: { __typename: 'StreamError', code: 'INTERNAL', retry: 'MAY_CHARGE_AGAIN', message: error.message },
    generation: { error: { code: 'INTERNAL' } },
  });
});
