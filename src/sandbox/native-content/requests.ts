import { z } from 'zod';
import { isBase64 } from '../../lib/base64.ts';

export type ContentRequest = z.output<typeof contentRequest>;
export type Content = ContentRequest['contents'][number];
export type Part = Content['parts'][number];

const anyObject = z.record(z.string(), z.unknown());
const nothing = z.strictObject({});
const base64 = z.string().refine(isBase64, 'expected base64');

/** A part has exactly one of these members. */
const kinds = ['text', 'inline_data', 'inlineData', 'fileData', 'functionCall', 'functionResponse'] as const;

// The document has text and inline_data. SDKs of this format send the other members.
const part = z
  .strictObject({
    text: z.string().optional(),
    inline_data: z.strictObject({ mime_type: z.string().min(1), data: base64 }).optional(),
    inlineData: z
      .strictObject({ mimeType: z.string().min(1), data: base64, displayName: z.string().optional() })
      .optional(),
    fileData: anyObject.optional(),
    functionCall: anyObject.optional(),
    functionResponse: anyObject.optional(),
    thought: z.boolean().optional(),
    thoughtSignature: z.string().optional(),
    videoMetadata: anyObject.optional(),
    mediaResolution: anyObject.optional(),
    partMetadata: anyObject.optional(),
  })
  .refine((value) => kinds.filter((kind) => value[kind] !== undefined).length === 1, {
    error: 'expected either text or inline_data',
  });

const content = z.strictObject({ role: z.string().optional(), parts: z.array(part).min(1) });

const tool = z.strictObject({
  urlContext: nothing.optional(),
  url_context: nothing.optional(),
  googleSearch: anyObject.optional(),
  googleSearchRetrieval: anyObject.optional(),
  googleMaps: anyObject.optional(),
  codeExecution: anyObject.optional(),
  computerUse: anyObject.optional(),
  fileSearch: anyObject.optional(),
  functionDeclarations: z.array(z.looseObject({ name: z.string().min(1) })).optional(),
});

/** No limit is documented; this one bounds the memory of a request. */
const maxCandidates = 16;

const generationConfig = z.looseObject({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.number().min(0).optional(),
  candidateCount: z.int().min(1).max(maxCandidates).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  stopSequences: z.array(z.string().min(1)).optional(),
  seed: z.int().optional(),
  responseModalities: z.array(z.string()).optional(),
  responseMimeType: z.string().optional(),
  thinkingConfig: anyObject.optional(),
  imageConfig: z.looseObject({ aspectRatio: z.string().optional() }).optional(),
});

export const contentRequest = z.strictObject({
  contents: z.array(content).min(1),
  tools: z.array(tool).optional(),
  generationConfig: generationConfig.optional(),
  systemInstruction: content.optional(),
  safetySettings: z
    .array(z.looseObject({ category: z.string().optional(), threshold: z.string().optional() }))
    .optional(),
  toolConfig: anyObject.optional(),
  cachedContent: z.string().optional(),
  labels: anyObject.optional(),
  serviceTier: z.string().optional(),
  store: z.boolean().optional(),
});
