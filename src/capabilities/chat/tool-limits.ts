import { type CrossRule, type ExpressedRule, receivedText } from '../../generations/check-input.ts';
import { has, hasValue, when } from '../../generations/rule-schemas.ts';
import { countValues } from '../../lib/count-values.ts';
import { asRecord, asString } from '../../lib/json.ts';
import type { ChatInput } from './inputs.ts';

/** Refuses only requests that must fail: they require a tool call, but offer no tool. */
export const requiredToolIsOffered: ExpressedRule<ChatInput> = {
  schema: when(has('toolChoice', { type: 'object', ...hasValue('mode', 'REQUIRED') }), {
    anyOf: [
      has('tools', { type: 'array', minItems: 1 }),
      has('extra', {
        type: 'object',
        ...has('functions', { not: { anyOf: [{ type: 'null' }, { type: 'array', maxItems: 0 }] } }),
      }),
    ],
  }),
  check(input, report) {
    if (input.toolChoice?.mode !== 'required' || toolsOf(input).length > 0) return;
    report(['toolChoice', 'mode'], {
      message: 'REQUIRED needs at least one tool in tools.',
      limit: 'NONE or AUTO without tools',
      received: 'REQUIRED',
    });
  },
};

/** Refuses only requests that must fail: they require a call of a tool, but offer none of that name. */
export const chosenToolIsOffered: CrossRule<ChatInput> = (input, report) => {
  const { function: chosen } = input.toolChoice ?? {};
  const offered = toolsOf(input);
  // The member's own limit reports an empty name.
  if (!chosen?.name || offered.includes(chosen.name) || offered.includes(undefined)) return;
  report(['toolChoice', 'function', 'name'], {
    message:
      offered.length === 0 ? 'tools is empty, so no tool can be chosen.' : 'No tool in tools has this name.',
    limit: 'a name among tools',
    received: chosen.name,
  });
};

/** The names of all offered tools; undefined for a tool whose name cannot be read. */
function toolsOf({ tools, extra }: ChatInput): readonly (string | undefined)[] {
  const functions = asRecord(extra)?.['functions'] ?? [];
  const older: readonly unknown[] = Array.isArray(functions) ? functions : [functions];
  return [
    ...(tools ?? []).map((tool) => tool.function.name),
    ...older.map((item) => asString(asRecord(item)?.['name'])),
  ];
}

/** Most values in the arguments of a tool call, and of all tool calls of a request or reply. Parsing takes as long as there are values. */
const maxArgumentValues = 100_000;
const maxValuesInAll = 500_000;
const jsonText = `JSON text of at most ${maxArgumentValues.toLocaleString('en')} values`;
const fewValues = `at most ${maxValuesInAll.toLocaleString('en')} values in the arguments of all tool calls`;
export const argumentsRule = `arguments must be ${jsonText}, with ${fewValues}.`;

/** What the arguments of a tool call are instead of JSON. */
type ArgumentsProblem = 'NOT_JSON' | 'TOO_MANY_IN_ALL';

/** Checks arguments of one request or reply, one after the other. Their text is sent as it is, so its integers need not be exact. */
export function createArgumentsCheck(): (text: string) => ArgumentsProblem | undefined {
  let room = maxValuesInAll;
  return (text) => {
    const values = room < 0 ? 0 : countValues(text);
    if (values > maxArgumentValues) return 'NOT_JSON';
    room -= values;
    if (room < 0) return 'TOO_MANY_IN_ALL';
    try {
      JSON.parse(text);
      return undefined;
    } catch {
      return 'NOT_JSON';
    }
  };
}

export const argumentsAreJson: CrossRule<ChatInput> = ({ messages }, report) => {
  const findProblem = createArgumentsCheck();
  for (const [index, { toolCalls }] of messages.entries())
    for (const [call, { function: called }] of (toolCalls ?? []).entries()) {
      const problem = findProblem(called.arguments);
      if (problem === undefined) continue;
      const limit = problem === 'NOT_JSON' ? jsonText : fewValues;
      const received = receivedText(called.arguments);
      const path = ['messages', index, 'toolCalls', call, 'function', 'arguments'];
      report(path, { message: `Must be ${limit}.`, limit, received });
      if (problem === 'TOO_MANY_IN_ALL') return;
    }
};
