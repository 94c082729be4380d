import type { DynamicToolUIPart, ToolUIPart, UIMessage } from 'ai';

type Part = UIMessage['parts'][number];

/** What a part of a tool says, static or dynamic. */
export interface ToolPart {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** JSON text. */
  readonly input: string;
  /** As text. Undefined until the tool has answered. */
  readonly result: string | undefined;
  readonly extraContent: unknown;
}

export function toToolPart(part: Part): ToolPart | undefined {
  if (!('toolCallId' in part)) return undefined;
  const rawInput = 'rawInput' in part ? part.rawInput : undefined;
  const metadata = 'callProviderMetadata' in part ? part.callProviderMetadata : undefined;
  return {
    id: part.toolCallId,
    name: part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length),
    state: part.state,
    input: JSON.stringify(part.input ?? rawInput ?? {}),
    result: resultOf(part),
    extraContent: metadata?.['gengraph']?.['extraContent'],
  };
}

function resultOf(part: DynamicToolUIPart | ToolUIPart): string | undefined {
  if (part.state === 'output-error') return part.errorText;
  if (part.state === 'output-denied') return 'The user did not allow this call.';
  if (part.state !== 'output-available' || part.preliminary) return undefined;
  return typeof part.output === 'string' ? part.output : (JSON.stringify(part.output) ?? '');
}
