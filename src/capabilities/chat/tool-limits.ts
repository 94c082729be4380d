import type { CrossRule } from '../../generations/check-input.ts';
import { asRecord, asString, parseJson } from '../../lib/json.ts';
import type { ChatInput } from './inputs.ts';

/** Refuses only requests that must fail: they require a tool call, but offer no tool or no tool of that name. */
export const chosenToolIsOffered: CrossRule<ChatInput> = (input, report) => {
  const { mode, function: chosen } = input.toolChoice ?? {};
  const offered = toolsOf(input);
  if (mode === 'required' && offered.length === 0) {
    report(['toolChoice', 'mode'], {
      message: 'REQUIRED needs at least one tool in tools.',
      limit: 'NONE or AUTO without tools',
      received: 'REQUIRED',
    });
  }
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

export function isJsonText(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
