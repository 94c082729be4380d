import { z } from 'zod';
import { wideInteger } from '../http/members.ts';
import { decodeStrictly } from '../http/validate.ts';
import { refuseContradictions } from './request-rules.ts';

export type ChatRequest = z.output<typeof chatRequest>;
export type ChatMessage = ChatRequest['messages'][number];
export interface CallableFunction {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** Decodes the body of a chat request; refuses members that the gateway's document does not allow. */
export function decodeChatRequest(body: unknown): ChatRequest {
  const request = decodeStrictly(chatRequest, body);
  refuseContradictions(request);
  return request;
}

const tokenLimit = z.int().min(0);
const freeForm = z.record(z.string(), z.unknown());

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const imagePart = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: z.string().regex(/^(https?:\/\/\S|data:image\/)/i, 'expected an image URL or a base64 data URI'),
    detail: z.enum(['auto', 'low', 'high']).optional(),
  }),
});
const contentPart = z.discriminatedUnion('type', [textPart, imagePart], {
  error: (issue) =>
    issue.code === 'invalid_union' ? 'expected a part of type text or image_url' : undefined,
});

const message = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool', 'developer']),
  // Clients of this style send null with tool_calls.
  content: z
    .union([z.string(), z.array(contentPart), z.null()], { error: 'expected a string or an array of parts' })
    .optional(),
  name: z.string().optional(),
  tool_calls: z
    .array(
      z.strictObject({
        id: z.string(),
        type: z.literal('function'),
        function: z.strictObject({ name: z.string(), arguments: z.string() }),
        // Undeclared, but models that send it expect it back.
        extra_content: freeForm.optional(),
      }),
    )
    .optional(),
  tool_call_id: z.string().optional(),
  reasoning_content: z.string().optional(),
  // Undeclared, but part of replies: clients send a reply's message back unchanged.
  refusal: z.string().nullable().optional(),
  annotations: z.array(z.unknown()).optional(),
  images: z.array(z.unknown()).optional(),
});

const callable = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  parameters: freeForm.optional(),
});

const toolChoice = z.union(
  [
    z.enum(['none', 'auto', 'required']),
    z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
  ],
  { error: 'expected "none", "auto", "required" or {type: "function", function: {name}}' },
);

const stop = z.union([z.string(), z.array(z.string()).max(4)], {
  error: 'expected a string or an array of at most 4 strings',
});

/** No limit is documented; this one bounds the memory of a request. */
const maxChoices = 128;

const chatRequest = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).optional(),
  max_tokens: tokenLimit.optional(),
  max_completion_tokens: tokenLimit.optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  n: z.int().min(1).max(maxChoices).optional(),
  stop: stop.optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  logit_bias: z
    .record(z.string().regex(/^\d+$/, 'expected a token id'), z.number().min(-100).max(100))
    .optional(),
  seed: z.union([wideInteger, z.number()]).optional(),
  user: z.string().optional(),
  response_format: z
    .strictObject({
      type: z.enum(['text', 'json_object', 'json_schema']),
      json_schema: freeForm.optional(),
    })
    .optional(),
  tools: z.array(z.strictObject({ type: z.literal('function'), function: callable })).optional(),
  tool_choice: toolChoice.optional(),
  parallel_tool_calls: z.boolean().optional(),
  reasoning_effort: z.string().optional(),
  enable_thinking: z.boolean().optional(),
  extra_body: z
    .looseObject({ enable_thinking: z.boolean().optional(), google: freeForm.optional() })
    .optional(),
  web_search_options: z
    .strictObject({
      search_context_size: z.enum(['high', 'medium', 'low']).optional(),
      user_location: freeForm.optional(),
    })
    .optional(),
  // Undeclared, but an example of the gateway's document sends this older form of tools.
  functions: z.array(callable).optional(),
});
