import type { CrossRule } from '../../generations/check-input.ts';
import { asRecord, asString, parseJson } from '../../lib/json.ts';
import type { ChatInput } from './inputs.ts';

/** Only what must fail: a model that has to call something and is offered nothing, or nothing of that name. */
export const chosenToolIsOffered: CrossRule<ChatInput> = (input, report) => {
  const { mode, function: chosen } = input.toolChoice ?? {};
  const offered = toolsOf(input);
  if (mode === 'required' && offered.length === 0) {
    report(['toolChoice', 'mode'], {
      message: 'REQUIRED needs something to call: give tools.',
      limit: 'NONE or AUTO without tools',
      received: 'REQUIRED',
    });
  }
  // An empty name is reported as such.
  if (!chosen?.name || offered.includes(chosen.name) || offered.includes(undefined)) return;
  report(['toolChoice', 'function', 'name'], {
    message: offered.length === 0 ? 'There are no tools to choose from.' : 'There is no tool of this name.',
    limit: 'a name among tools',
    received: chosen.name,
  });
};

/** The names of all that may be called; undefined for what is offered under a name that cannot be read. */
function toolsOf({ tools, extra }: ChatInput): readonly (string | undefined)[] {
  const functions = asRecord(extra)?.['functions'] ?? [];
  const older: readonly unknown[] = Array.isArray(functions) ? functions : [functions];
  return [
    ...(tools ?? []).map((tool) => tool.function.name),
    ...older.map((item) => asString(asRecord(item)?.['name'])),
  ];
}

export function isJsonText(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
