import { stringifyExactJson } from '../http/exact-json.ts';
import { randomText } from '../access/tokens.ts';
import { findNames, type Hints } from '../json-schema/hints.ts';
import { createInstance } from '../json-schema/instance.ts';
import type { Dice } from '../random.ts';
import { splitPieces } from './pieces.ts';
import type { ToolCall } from './reply.ts';
import type { CallableFunction, ChatRequest } from './request.ts';
import { invalidSchema } from './structured-output.ts';
import type { Conversation } from './text/conversation.ts';
import { findKeywords } from './text/topics.ts';

const maxCalls = 5;

/** The tool calls that a model would answer with; none where it answers with a text. */
export function chooseToolCalls(request: ChatRequest, conversation: Conversation, dice: Dice): ToolCall[] {
  const choice = request.tool_choice ?? 'auto';
  const functions = listFunctions(request);
  if (choice === 'none' || functions.length === 0) return [];
  const chosen = chooseFunctions(functions, choice, conversation);
  const isParallel = request.parallel_tool_calls !== false && request.functions === undefined;
  const calls = chosen.flatMap((item) => planCalls(item, conversation));
  return calls.slice(0, isParallel ? maxCalls : 1).map(({ callable, hints }) => ({
    id: `call_${randomText(24, () => dice.next())}`,
    name: callable.name,
    arguments: splitPieces(createArguments(callable, hints, dice)),
  }));
}

function listFunctions({ tools, functions }: ChatRequest): CallableFunction[] {
  return [...(tools ?? []).map((tool) => tool.function), ...(functions ?? [])];
}

function chooseFunctions(
  functions: readonly CallableFunction[],
  choice: NonNullable<ChatRequest['tool_choice']>,
  conversation: Conversation,
): readonly CallableFunction[] {
  if (typeof choice === 'object')
    return functions.filter(({ name }) => name === choice.function.name).slice(0, 1);
  // With the results at hand, a model that is free to choose answers.
  const isAnswering = choice === 'auto' && conversation.toolResults.length > 0;
  const mentioned = isAnswering ? [] : functions.filter((item) => isMentioned(item, conversation.prompt));
  return choice === 'required' && mentioned.length === 0 ? functions.slice(0, 1) : mentioned;
}

// Words that many tools share say nothing about what a prompt needs.
const commonWords = new Set(
  'current given value values data user returns return based list string number result results api tool function name'.split(
    ' ',
  ),
);

function isMentioned({ name, description = '' }: CallableFunction, prompt: string): boolean {
  if (prompt.toLowerCase().includes(name.toLowerCase())) return true;
  const nameWords = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_.-]+/g, ' ');
  const wanted = new Set(
    findKeywords(`${nameWords} ${description}`)
      .filter((word) => !commonWords.has(word))
      .map(toStem),
  );
  return findKeywords(prompt).some((word) => wanted.has(toStem(word)));
}

/** `forecasts` and `forecast` are one word here. */
function toStem(word: string): string {
  return word.length > 4 ? word.replace(/(ies|es|s|ing|ed)$/, '') : word;
}

/** One call; one per proper name where the prompt names several: "the weather in Oslo and Rome". */
function planCalls(
  callable: CallableFunction,
  conversation: Conversation,
): { callable: CallableFunction; hints: Hints }[] {
  const { prompt: text, topics } = conversation;
  const properties = callable.parameters?.['properties'];
  const takesPlace =
    typeof properties === 'object' &&
    properties !== null &&
    Object.keys(properties).some((name) => /city|location|place|country/i.test(name));
  const count = takesPlace ? Math.max(findNames(text).length, 1) : 1;
  return Array.from({ length: count }, (_, offset) => ({ callable, hints: { text, topics, offset } }));
}

function createArguments({ name, parameters }: CallableFunction, hints: Hints, dice: Dice): string {
  if (!parameters || Object.keys(parameters).length === 0) return '{}';
  // Arguments are an object, whether or not the schema says so.
  const schema = parameters['type'] === undefined ? { type: 'object', ...parameters } : parameters;
  try {
    return stringifyExactJson(createInstance({ schema, dice, hints }));
  } catch (error) {
    throw invalidSchema(`tools: the parameters of "${name}"`, error);
  }
}
