import { isRecord } from '../../lib/json.ts';
import { stringifyExactJson } from '../http/exact-json.ts';
import { invalidRequest } from '../http/errors.ts';
import { createInstance } from '../json-schema/instance.ts';
import { UnsatisfiableSchema } from '../json-schema/schema.ts';
import type { Dice } from '../random.ts';
import type { ChatRequest } from './request.ts';
import type { Conversation } from './text/conversation.ts';

/** JSON text where `response_format` asks for it; undefined where a plain text is wanted. */
export function writeStructured(
  request: ChatRequest,
  conversation: Conversation,
  dice: Dice,
): string | undefined {
  const format = request.response_format;
  if (!format || format.type === 'text') return undefined;
  const schema =
    format.type === 'json_schema' ? findSchema(format.json_schema ?? {}) : guessSchema(conversation.prompt);
  const hints = { text: conversation.prompt, topics: conversation.topics };
  try {
    return stringifyExactJson(createInstance({ schema, dice, hints }));
  } catch (error) {
    throw invalidSchema('response_format.json_schema.schema', error);
  }
}

/** A schema that cannot be satisfied is the request's fault; anything else is ours. */
export function invalidSchema(member: string, error: unknown): unknown {
  const isRequestsFault = error instanceof UnsatisfiableSchema || error instanceof SyntaxError;
  return isRequestsFault ? invalidRequest(`${member}: ${error.message}`) : error;
}

/** The usual form is `{name, schema, strict}`; the gateway's document leaves it open, so a bare schema works too. */
function findSchema(given: Readonly<Record<string, unknown>>): unknown {
  if ('schema' in given) return given['schema'];
  return isRecord(given['properties']) || 'type' in given || '$ref' in given ? given : { type: 'object' };
}

/** An object with the members that the prompt names, or what an answer usually has. */
function guessSchema(prompt: string): unknown {
  const list =
    /\b(?:keys?|fields?|members?|properties)\b:?((?:\s*(?:,|and|&|["'`“][\w-]+["'`”]|[\w-]+))+)/i.exec(
      prompt,
    )?.[1] ?? '';
  const quoted = [...prompt.matchAll(/["'`“](\w[\w-]{0,40})["'`”]/g)].map((match) => match[1] ?? '');
  const plain = list
    .split(/[\s,&]+/)
    .filter(
      (word) => /^[a-z_][\w-]*$/i.test(word) && !/^(and|the|a|an|for|of|with|named|called)$/i.test(word),
    );
  const names = [...new Set(quoted.length > 0 ? quoted : plain)].slice(0, 20);
  if (names.length > 0) {
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, guessMember(name)])),
      required: names,
    };
  }
  return {
    type: 'object',
    properties: {
      topic: { type: 'string' },
      summary: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3, uniqueItems: true },
      confidence: { type: 'number', minimum: 0.5, maximum: 1 },
    },
    required: ['topic', 'summary', 'tags', 'confidence'],
  };
}

function guessMember(name: string): unknown {
  if (/age|count|year|quantity|number|score|rating|price|total|temperature/i.test(name))
    return { type: 'integer', minimum: 1, maximum: 90 };
  if (/^(is|has|can)_?|active|enabled/i.test(name)) return { type: 'boolean' };
  return /(tags|items|list|colou?rs|names|ideas|steps)$/i.test(name)
    ? { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 }
    : { type: 'string' };
}
