import { z } from 'zod';
import {
  type CrossRule,
  type InputLimits,
  receivedText,
  type Report,
} from '../../generations/check-input.ts';
import { asRecord, isRecord } from '../../lib/json.ts';
import { anyImageSource } from '../../generations/image-source.ts';
import { findSpelling } from '../../generations/member-name.ts';
import { abbreviate } from '../../lib/text.ts';
import type { ChatInput } from './inputs.ts';
import { chosenToolIsOffered, isJsonText } from './tool-limits.ts';

const part = z.object({ imageUrl: z.object({ url: anyImageSource }).nullish() });

const jsonObject = (noun: string) =>
  z
    .custom<object>(isRecord, {
      error: `Must be ${noun}.`,
      params: { limit: 'an object', schema: { type: 'object' } },
    })
    .nullish();

const toolCall = z.object({
  function: z.object({
    arguments: z.string().refine(isJsonText, { error: 'Must be JSON text.', params: { limit: 'JSON text' } }),
  }),
  extraContent: jsonObject('an object'),
});

const message = z.object({
  content: z.object({ parts: z.array(part).min(1).nullish() }).nullish(),
  toolCalls: z.array(toolCall).nullish(),
});

/** The gateway's document, "Limits", row Chat. Limits worded "normally" and "about" are enforced. */
const members = z.object({
  model: z.string().trim().min(1),
  continueFrom: z.string().min(1).nullish(),
  continueChoice: z.number().min(0).nullish(),
  messages: z.array(message).min(1),
  maxTokens: z.number().min(0).nullish(),
  maxCompletionTokens: z.number().min(0).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  topP: z.number().min(0).max(1).nullish(),
  count: z.number().min(1).nullish(),
  stop: z.array(z.string()).max(4).nullish(),
  presencePenalty: z.number().min(-2).max(2).nullish(),
  frequencyPenalty: z.number().min(-2).max(2).nullish(),
  logitBias: jsonObject('an object from token id to number'),
  responseFormat: z.object({ jsonSchema: jsonObject('an object with name and schema') }).nullish(),
  tools: z
    .array(
      z.object({
        function: z.object({ name: z.string().min(1), parameters: jsonObject('a JSON Schema object') }),
      }),
    )
    .nullish(),
  toolChoice: z.object({ function: z.object({ name: z.string().min(1) }).nullish() }).nullish(),
  extraBody: jsonObject('an object'),
  webSearchOptions: z.object({ userLocation: jsonObject('an object') }).nullish(),
});

/** Content may be absent only when the message has tool calls. */
const messagesHaveContent: CrossRule<ChatInput> = ({ messages }, report) => {
  for (const [index, { content, toolCalls }] of messages.entries()) {
    if (!content && !toolCalls?.length) {
      report(['messages', index, 'content'], {
        message: 'A message needs content or toolCalls.',
        limit: 'content or toolCalls',
      });
    }
  }
};

const toolMessagesHaveCallId: CrossRule<ChatInput> = ({ messages }, report) => {
  for (const [index, { role, toolCallId }] of messages.entries()) {
    if (role === 'tool' && !toolCallId) {
      report(['messages', index, 'toolCallId'], {
        message: 'A message with role TOOL needs toolCallId, the id of the answered call.',
        limit: "an id of an assistant's toolCalls",
        received: toolCallId ?? undefined,
      });
    }
  }
};

const isSet = (id: string | null | undefined): boolean => id !== null && id !== undefined;

const optionsNeedContinueFrom: CrossRule<ChatInput> = (input, report) => {
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
};

/** What a continued chat adds to the rules. */
export interface History {
  /** Tool calls of the continued reply. */
  readonly openCalls: readonly { readonly id: string; readonly name: string }[];
  readonly mentionsJson: () => boolean;
}

/** Each tool call of the continued reply has an answer, and each answer a call. */
function callsAreAnswered({ messages }: ChatInput, report: Report, { openCalls }: History): void {
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
  const known = new Set(openCalls.map(({ id }) => id));
  for (const [index, { role, toolCalls, toolCallId }] of messages.entries()) {
    for (const { id } of toolCalls ?? []) known.add(id);
    if (role !== 'tool' || !toolCallId || known.has(toolCallId)) continue;
    report(['messages', index, 'toolCallId'], {
      message: 'The continued reply and the messages before this one have no tool call with this id.',
      limit: 'the id of a tool call before it',
      received: toolCallId,
    });
  }
}

function jsonIsMentioned(input: ChatInput, report: Report, history: History | undefined): void {
  const { responseFormat, messages, continueFrom } = input;
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
}

const jsonSchemaIsPresent: CrossRule<ChatInput> = ({ responseFormat }, report) => {
  if (responseFormat?.type === 'json_schema' && !responseFormat.jsonSchema) {
    report(['responseFormat', 'jsonSchema'], {
      message: 'JSON_SCHEMA needs jsonSchema.',
      limit: 'an object with name and schema',
    });
  }
};

/** All members that the gateway's document declares for a chat. */
const declaredMembers = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'n',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'seed',
  'user',
  'response_format',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning_effort',
  'enable_thinking',
  'extra_body',
  'web_search_options',
];

/** Members of `extraBody` that the gateway documents. */
const extraBodyMembers = ['enable_thinking', 'google'];

/** A gateway may add the members of `extraBody` to those of the request, so they must not be declared ones. */
const extraBodyIsUndeclared: CrossRule<ChatInput> = ({ extraBody }, report) => {
  for (const [name, value] of Object.entries(asRecord(extraBody) ?? {})) {
    const known = findSpelling(name, [...extraBodyMembers, ...declaredMembers]);
    if (known === undefined || (known === name && extraBodyMembers.includes(known))) continue;
    const message = extraBodyMembers.includes(known)
      ? `Write this member as "${known}".`
      : `"${abbreviate(name, 100)}" can be read as the declared member "${known}" of the request. Remove it from extraBody.`;
    report(['extraBody', name], { message, limit: 'undeclared members only', received: receivedText(value) });
  }
};

/** Members of `extraBody` whose types the gateway documents. */
const extraBodyIsTyped: CrossRule<ChatInput> = ({ extraBody }, report) => {
  const { enable_thinking: thinking, google } = asRecord(extraBody) ?? {};
  if (thinking !== undefined && typeof thinking !== 'boolean') {
    report(['extraBody', 'enable_thinking'], {
      message: 'Must be true or false.',
      limit: 'a boolean',
      received: receivedText(thinking),
    });
  }
  if (google !== undefined && !isRecord(google)) {
    report(['extraBody', 'google'], {
      message: 'Must be an object.',
      limit: 'an object',
      received: receivedText(google),
    });
  }
};

const biasLimit = 'a number from -100 to 100';

/** A separate rule, because zod's records skip a member named `__proto__`. */
const biasesAreSmall: CrossRule<ChatInput> = ({ logitBias }, report) => {
  for (const [token, bias] of Object.entries(isRecord(logitBias) ? logitBias : {})) {
    if (typeof bias === 'number' && bias >= -100 && bias <= 100) continue;
    report(['logitBias', token], {
      message: `Must be ${biasLimit}.`,
      limit: '-100 to 100',
      received: receivedText(bias),
    });
  }
};

/** The limits of a chat that continues this history. Undefined if there is none, or if it could not be read. */
export function chatLimitsAfter(history: History | undefined): InputLimits<ChatInput> {
  return {
    members,
    rules: {
      ...rules,
      'responseFormat.type JSON_OBJECT needs a message that contains the word "JSON".': (input, report) =>
        jsonIsMentioned(input, report, history),
      'Each tool call of a continued reply needs a message with role TOOL.': (input, report) =>
        history && callsAreAnswered(input, report, history),
    },
    declared: declaredMembers,
    renamed: { n: 'count' },
  };
}

const rules: InputLimits<ChatInput>['rules'] = {
  'Each message needs content or toolCalls.': messagesHaveContent,
  'A message with role TOOL needs toolCallId.': toolMessagesHaveCallId,
  'continueChoice and continuePartial need continueFrom.': optionsNeedContinueFrom,
  'responseFormat.type JSON_SCHEMA needs responseFormat.jsonSchema.': jsonSchemaIsPresent,
  [`Each value of logitBias must be ${biasLimit}.`]: biasesAreSmall,
  'extraBody.enable_thinking must be a boolean, and extraBody.google an object.': extraBodyIsTyped,
  'extraBody must not contain members that this request declares.': extraBodyIsUndeclared,
  'toolChoice REQUIRED needs tools. A function that toolChoice names must be one of tools.':
    chosenToolIsOffered,
};

export const chatLimits = chatLimitsAfter(undefined);
