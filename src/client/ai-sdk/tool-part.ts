import type { UIMessage } from 'ai';

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

/** The fields that the states of a tool's part have. */
interface ToolFields {
  readonly type: string;
  readonly toolName?: string;
  readonly toolCallId: string;
  readonly state: string;
  readonly input?: unknown;
  readonly rawInput?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
  readonly preliminary?: boolean;
  readonly callProviderMetadata?: { readonly gengraph?: { readonly extraContent?: unknown } };
}

export function toToolPart(part: Part): ToolPart | undefined {
  if (!('toolCallId' in part)) return undefined;
  const tool: ToolFields = part;
  return {
    id: tool.toolCallId,
    name: tool.toolName ?? tool.type.slice('tool-'.length),
    state: tool.state,
    input: JSON.stringify(tool.input ?? tool.rawInput ?? {}),
    result: resultOf(tool),
    extraContent: tool.callProviderMetadata?.gengraph?.extraContent,
  };
}

function resultOf({ state, output, errorText, preliminary }: ToolFields): string | undefined {
  if (state === 'output-error') return errorText ?? '';
  if (state === 'output-denied') return 'The user did not allow this call.';
  if (state !== 'output-available' || preliminary) return undefined;
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}
