import { asRecord, stringifyJson } from '../../lib/json.ts';
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

/** The tool calls that answer the request. Empty if a text answers it. */
export function chooseToolCalls(request: ChatRequest, conversation: Conversation, dice: Dice): ToolCall[] {
  const choice = request.tool_choice ?? 'auto';
  const functions = [...(request.tools ?? []).map((tool) => tool.function), ...(request.functions ?? [])];
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

function chooseFunctions(
  functions: readonly CallableFunction[],
  choice: NonNullable<ChatRequest['tool_choice']>,
  conversation: Conversation,
): readonly CallableFunction[] {
  if (typeof choice === 'object')
    return functions.filter(({ name }) => name === choice.function.name).slice(0, 1);
  // With `auto`, a model that already has tool results answers with text.
  const isAnswering = choice === 'auto' && conversation.toolResults.length > 0;
  const prompt = conversation.prompt.toLowerCase();
  const stems = new Set(findKeywords(conversation.prompt).map(toStem));
  const mentioned = isAnswering ? [] : functions.filter((item) => isMentioned(item, { prompt, stems }));
  return choice === 'required' && mentioned.length === 0 ? functions.slice(0, 1) : mentioned;
}

// Words that many tools share do not select one.
const commonWords: ReadonlySet<string> = new Set(
  'current given value values data user returns return based list string number result results api tool function name'.split(
    ' ',
  ),
);

/** A prompt in lower case, and the stems of its words. */
interface PromptWords {
  readonly prompt: string;
  readonly stems: ReadonlySet<string>;
}

function isMentioned({ name, description = '' }: CallableFunction, { prompt, stems }: PromptWords): boolean {
  if (prompt.includes(name.toLowerCase())) return true;
  const nameWords = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_.-]+/g, ' ');
  const wanted = findKeywords(`${nameWords} ${description}`).filter((word) => !commonWords.has(word));
  return wanted.some((word) => stems.has(toStem(word)));
}

/** `forecasts` and `forecast` have the same stem. */
function toStem(word: string): string {
  return word.length > 4 ? word.replace(/(ies|es|s|ing|ed)$/, '') : word;
}

/** One call, or one for each proper name if the function has a parameter for a place: "the weather in Oslo and Rome". */
function planCalls(
  callable: CallableFunction,
  { prompt: text, topics }: Conversation,
): { callable: CallableFunction; hints: Hints }[] {
  const names = Object.keys(asRecord(callable.parameters?.['properties']) ?? {});
  const takesPlace = names.some((name) => /city|location|place|country/i.test(name));
  const length = takesPlace ? Math.max(findNames(text).length, 1) : 1;
  return Array.from({ length }, (_, offset) => ({ callable, hints: { text, topics, offset } }));
}

function createArguments({ name, parameters }: CallableFunction, hints: Hints, dice: Dice): string {
  if (!parameters || Object.keys(parameters).length === 0) return '{}';
  // Arguments are always an object, even where the schema omits the type.
  const schema = parameters['type'] === undefined ? { type: 'object', ...parameters } : parameters;
  try {
    return stringifyJson(createInstance({ schema, dice, hints }));
  } catch (error) {
    throw invalidSchema(`tools: the parameters of "${name}"`, error);
  }
}
