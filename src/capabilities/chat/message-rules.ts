import type { CrossRule, ExpressedRule, Report } from '../../generations/check-input.ts';
import { anyCase, has, hasValue, may, when } from '../../generations/rule-schemas.ts';
import type { JsonObject } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import type { ChatInput } from './inputs.ts';

/** Content may be absent only when the message has tool calls. */
export const messagesHaveContent: ExpressedRule<ChatInput> = {
  schema: may('messages', {
    items: {
      anyOf: [has('content', { type: 'object' }), has('toolCalls', { type: 'array', minItems: 1 })],
    },
  }),
  check({ messages }, report) {
    for (const [index, { content, toolCalls }] of messages.entries()) {
      if (!content && !toolCalls?.length) {
        report(['messages', index, 'content'], {
          message: 'A message needs content or toolCalls.',
          limit: 'content or toolCalls',
        });
      }
    }
  },
};

export const toolMessagesHaveCallId: ExpressedRule<ChatInput> = {
  schema: may('messages', {
    items: when(hasValue('role', 'TOOL'), has('toolCallId', { type: ['string', 'integer'], minLength: 1 })),
  }),
  check({ messages }, report) {
    for (const [index, { role, toolCallId }] of messages.entries()) {
      if (role === 'tool' && !toolCallId) {
        report(['messages', index, 'toolCallId'], {
          message: 'A message with role TOOL needs toolCallId, the id of the answered call.',
          limit: "an id of an assistant's toolCalls",
          received: toolCallId ?? undefined,
        });
      }
    }
  },
};

const isSet = (id: string | null | undefined): boolean => id !== null && id !== undefined;
const isId: JsonObject = { type: ['string', 'integer'] };

export const optionsNeedContinueFrom: ExpressedRule<ChatInput> = {
  schema: when(
    { anyOf: [has('continueChoice', { type: 'integer' }), has('continuePartial', { type: 'boolean' })] },
    has('continueFrom', isId),
  ),
  check(input, report) {
    if (isSet(input.continueFrom)) return;
    for (const name of ['continueChoice', 'continuePartial'] as const) {
      const value = input[name];
      if (value === null || value === undefined) continue;
      report([name], {
        message: `${name} needs continueFrom.`,
        limit: 'only with continueFrom',
        received: String(value),
      });
    }
  },
};

/** What a continued chat adds to the rules. */
export interface History {
  /** Tool calls of the continued reply. */
  readonly openCalls: readonly { readonly id: string; readonly name: string }[];
  readonly mentionsJson: () => boolean;
}

export function callsAreAnswered({ messages }: ChatInput, report: Report, { openCalls }: History): void {
  const answered = new Set(
    messages.map(({ role, toolCallId }) => (role === 'tool' ? toolCallId : undefined)),
  );
  for (const { id, name } of openCalls) {
    if (answered.has(id)) continue;
    report(['messages'], {
      message: `The continued reply calls the tool ${abbreviate(name, 100)}: a message with role TOOL and toolCallId "${abbreviate(id, 100)}" is missing.`,
      limit: `a TOOL message for each tool call of the continued reply`,
    });
  }
}

/** Without the history of a continued chat, its calls are unknown. */
export function answersHaveCalls(history: History | undefined): CrossRule<ChatInput> {
  return ({ messages, continueFrom }, report) => {
    if (isSet(continueFrom) && !history) return;
    const known = new Set((history?.openCalls ?? []).map(({ id }) => id));
    for (const [index, { role, toolCalls, toolCallId }] of messages.entries()) {
      for (const { id } of toolCalls ?? []) known.add(id);
      if (role !== 'tool' || !toolCallId || known.has(toolCallId)) continue;
      report(['messages', index, 'toolCallId'], {
        message: `${history ? 'The continued reply and the' : 'The'} messages before this one have no tool call with this id.`,
        limit: 'the id of a tool call before it',
        received: toolCallId,
      });
    }
  };
}

const hasJsonWord = has('text', { type: 'string', pattern: anyCase('json') });

/** The schema expresses it for a chat that continues none. */
export function jsonIsMentioned(history: History | undefined): ExpressedRule<ChatInput> {
  return {
    schema: when(
      {
        ...has('responseFormat', { type: 'object', ...hasValue('type', 'JSON_OBJECT') }),
        not: has('continueFrom', isId),
      },
      may('messages', {
        contains: has('content', {
          type: 'object',
          anyOf: [hasJsonWord, has('parts', { type: 'array', contains: hasJsonWord })],
        }),
      }),
    ),
    isPart: true,
    check({ responseFormat, messages, continueFrom }, report) {
      if (responseFormat?.type !== 'json_object') return;
      // Without the history, the rule cannot be checked.
      if (isSet(continueFrom) && (!history || history.mentionsJson())) return;
      const texts = messages.flatMap(({ content }) => [
        content?.text ?? '',
        ...(content?.parts ?? []).map(({ text }) => text ?? ''),
      ]);
      if (texts.some((text) => /json/i.test(text))) return;
      report(['responseFormat', 'type'], {
        message: 'JSON_OBJECT needs a message that contains the word "JSON".',
        limit: 'the word "json" in a message',
        received: 'JSON_OBJECT',
      });
    },
  };
}
