import { z } from 'zod';
import { type ExpressedRule, type InputLimits, receivedText } from '../../generations/check-input.ts';
import { asRecord, isRecord } from '../../lib/json.ts';
import { anyImageSource } from '../../generations/image-source.ts';
import { spellingsOf } from '../../generations/member-name.ts';
import { modelName } from '../../generations/model-name.ts';
import { has, hasValue, may, when } from '../../generations/rule-schemas.ts';
import { abbreviate } from '../../lib/text.ts';
import { declaredBy } from '../../generations/wire-names.ts';
import { chatNames } from './client.ts';
import type { ChatInput } from './inputs.ts';
import {
  answersHaveCalls,
  callsAreAnswered,
  type History,
  jsonIsMentioned,
  messagesHaveContent,
  optionsNeedContinueFrom,
  toolMessagesHaveCallId,
} from './message-rules.ts';
import {
  argumentsAreJson,
  argumentsRule,
  chosenToolIsOffered,
  requiredToolIsOffered,
} from './tool-limits.ts';

const part = z.object({ imageUrl: z.object({ url: anyImageSource }).nullish() });

const jsonObject = (noun: string) =>
  z
    .custom<object>(isRecord, {
      error: `Must be ${noun}.`,
      params: { limit: 'an object', schema: { type: 'object' } },
    })
    .nullish();

const toolCall = z.object({ extraContent: jsonObject('an object') });

const message = z.object({
  content: z.object({ parts: z.array(part).min(1).nullish() }).nullish(),
  toolCalls: z.array(toolCall).nullish(),
});

/** The gateway's document, "Limits", row Chat. Limits worded "normally" and "about" are enforced. */
const members = z.object({
  model: modelName,
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

const jsonSchemaIsPresent: ExpressedRule<ChatInput> = {
  schema: may('responseFormat', when(hasValue('type', 'JSON_SCHEMA'), has('jsonSchema', { type: 'object' }))),
  check({ responseFormat }, report) {
    if (responseFormat?.type === 'json_schema' && !responseFormat.jsonSchema) {
      report(['responseFormat', 'jsonSchema'], {
        message: 'JSON_SCHEMA needs jsonSchema.',
        limit: 'an object with name and schema',
      });
    }
  },
};

const chatMembers = declaredBy(chatNames);
/** All members that the gateway's document declares for a chat. */
const declaredMembers = [...chatMembers.declared, 'stream'];

/** Members of `extraBody` that the gateway documents. */
const extraBodyMembers = ['enable_thinking', 'google'];

/** A gateway may add the members of `extraBody` to those of the request, so they must not be declared ones. */
const extraBodyIsUndeclared: ExpressedRule<ChatInput> = {
  schema: may('extraBody', {
    propertyNames: { not: { enum: declaredMembers.filter((name) => !extraBodyMembers.includes(name)) } },
  }),
  isPart: true,
  check({ extraBody }, report) {
    const findSpelling = spellingsOf([...extraBodyMembers, ...declaredMembers]);
    for (const [name, value] of Object.entries(asRecord(extraBody) ?? {})) {
      const known = findSpelling(name);
      if (known === undefined || (known === name && extraBodyMembers.includes(known))) continue;
      const message = extraBodyMembers.includes(known)
        ? `Write this member as "${known}".`
        : `"${abbreviate(name, 100)}" can be read as the declared member "${known}" of the request. Remove it from extraBody.`;
      report(['extraBody', name], {
        message,
        limit: 'undeclared members only',
        received: receivedText(value),
      });
    }
  },
};

/** Members of `extraBody` whose types the gateway documents. */
const extraBodyIsTyped: ExpressedRule<ChatInput> = {
  schema: may('extraBody', {
    properties: { enable_thinking: { type: 'boolean' }, google: { type: 'object' } },
  }),
  check({ extraBody }, report) {
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
  },
};

const biasLimit = 'a number from -100 to 100';

/** A separate rule, because zod's records skip a member named `__proto__`. */
const biasesAreSmall: ExpressedRule<ChatInput> = {
  schema: may('logitBias', { additionalProperties: { type: 'number', minimum: -100, maximum: 100 } }),
  check({ logitBias }, report) {
    for (const [token, bias] of Object.entries(isRecord(logitBias) ? logitBias : {})) {
      if (typeof bias === 'number' && bias >= -100 && bias <= 100) continue;
      report(['logitBias', token], {
        message: `Must be ${biasLimit}.`,
        limit: '-100 to 100',
        received: receivedText(bias),
      });
    }
  },
};

/** The limits of a chat that continues this history. Undefined if there is none, or if it could not be read. */
export function chatLimitsAfter(history: History | undefined): InputLimits<ChatInput> {
  return {
    members,
    rules: {
      ...rules,
      'responseFormat.type JSON_OBJECT needs a message that contains the word "JSON".':
        jsonIsMentioned(history),
      'Each tool call of a continued reply needs a message with role TOOL.': (input, report) =>
        history && callsAreAnswered(input, report, history),
      'toolCallId of a TOOL message must be the id of a tool call before it.': answersHaveCalls(history),
    },
    ...chatMembers,
  };
}

const rules: InputLimits<ChatInput>['rules'] = {
  'Each message needs content or toolCalls.': messagesHaveContent,
  'A message with role TOOL needs toolCallId.': toolMessagesHaveCallId,
  'continueChoice and continuePartial need continueFrom.': optionsNeedContinueFrom,
  'responseFormat.type JSON_SCHEMA needs responseFormat.jsonSchema.': jsonSchemaIsPresent,
  [`Each value of logitBias must be ${biasLimit}.`]: biasesAreSmall,
  'extraBody.enable_thinking must be a boolean, and extraBody.google an object.': extraBodyIsTyped,
  'extraBody must not contain members that this request declares, in any spelling.': extraBodyIsUndeclared,
  [argumentsRule]: argumentsAreJson,
  'toolChoice REQUIRED needs tools.': requiredToolIsOffered,
  'A function that toolChoice names must be one of tools.': chosenToolIsOffered,
};

export const chatLimits = chatLimitsAfter(undefined);
