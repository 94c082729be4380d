import type { CrossRule, ExpressedRule } from '../../generations/check-input.ts';
import { has, hasValue, when } from '../../generations/rule-schemas.ts';
import { hasMoreValuesAtOnce } from '../../lib/count-values.ts';
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

/** Most values in the arguments of a tool call. Parsing takes as long as there are values. */
const maxArgumentValues = 100_000;
export const jsonText = `JSON text of at most ${maxArgumentValues.toLocaleString('en')} values`;

/** Whether arguments are JSON. Their text is sent as it is, so its integers need not be exact. */
export function isJsonText(text: string): boolean {
  if (hasMoreValuesAtOnce(text, maxArgumentValues)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
