import { stringifyJson } from '../../lib/json.ts';
import { invalidRequest } from '../http/errors.ts';
import { createInstance } from '../json-schema/instance.ts';
import { UnsatisfiableSchema } from '../json-schema/schema.ts';
import type { Dice } from '../random.ts';
import type { ChatRequest } from './request.ts';
import type { Conversation } from './text/conversation.ts';

/** JSON text if `response_format` requests it. Undefined if the request wants plain text. */
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
    return stringifyJson(createInstance({ schema, dice, hints }));
  } catch (error) {
    throw invalidSchema('response_format.json_schema.schema', error);
  }
}

/** Converts the error of an invalid or unsatisfiable schema to a refusal (400). Returns any other error unchanged. */
export function invalidSchema(member: string, error: unknown): unknown {
  const isBadSchema = error instanceof UnsatisfiableSchema || error instanceof SyntaxError;
  return isBadSchema ? invalidRequest(`${member}: ${error.message}`) : error;
}

/** The usual form is `{name, schema, strict}`. The gateway's document leaves it open, so a bare schema works too. */
function findSchema(given: Readonly<Record<string, unknown>>): unknown {
  if ('schema' in given) return given['schema'];
  return ['properties', 'type', '$ref'].some((key) => key in given) ? given : { type: 'object' };
}

/** An object with the members that the prompt names, or else with typical ones. */
function guessSchema(prompt: string): unknown {
  const quoted = [...prompt.matchAll(/["'`“](\w[\w-]{0,40})["'`”]/g)].map(([, name = '']) => name);
  const [, list = ''] =
    /\b(?:keys?|fields?|members?|properties)\b:?((?:\s*(?:,|and|&|[\w-]+))+)/i.exec(prompt) ?? [];
  const plain = list
    .split(/[\s,&]+/)
    .filter((word) => /^(?!(?:and|the|a|an|for|of|with|named|called)$)[a-z_][\w-]*$/i.test(word));
  const given = [...new Set(quoted.length > 0 ? quoted : plain)].slice(0, 20);
  const names = given.length > 0 ? given : ['topic', 'summary', 'tags', 'confidence'];
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, guessMember(name)])),
    required: names,
  };
}

function guessMember(name: string): unknown {
  if (/age|count|year|quantity|number|score|rating|price|total|temperature|confidence/i.test(name))
    return { type: 'integer', minimum: 1, maximum: 90 };
  if (/^(is|has|can)_?|active|enabled/i.test(name)) return { type: 'boolean' };
  return /(tags|items|list|colou?rs|names|ideas|steps)$/i.test(name)
    ? { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3, uniqueItems: true }
    : { type: 'string' };
}
