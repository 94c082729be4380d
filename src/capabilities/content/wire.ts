import { findErrorCode, withWords } from '../../gateway/decode-error.ts';
import type { Asset } from '../../generations/asset.ts';
import type { ImmediateResult } from '../../generations/create-now.ts';
import { mediaKindOf } from '../../generations/media-kind.ts';
import { asWebAddress } from '../../lib/addresses.ts';
import {
  asCount,
  asRecords,
  asArray,
  asBoolean,
  asRecord,
  asString,
  isObject,
  isRecord,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import type { GenerationUsage, StoredOutput } from '../../store/records.ts';

export interface ContentPart {
  readonly text?: string | undefined;
  readonly thought?: boolean | undefined;
  readonly inlineData?: InlineData | undefined;
}

export interface InlineData extends Pick<Asset, 'url' | 'expiresAt' | 'file' | 'index'> {
  readonly mimeType?: string | undefined;
  readonly data: string;
}

export interface CandidateContent {
  readonly role?: string | undefined;
  readonly parts: readonly ContentPart[];
}

export interface UrlMetadata {
  readonly retrievedUrl?: string | undefined;
  readonly urlRetrievalStatus?: string | undefined;
}

export interface ContentCandidate {
  readonly index: number;
  readonly content?: CandidateContent | undefined;
  readonly finishReason?: string | undefined;
  readonly finishMessage?: string | undefined;
  readonly urlContextMetadata?: { readonly urlMetadata: readonly UrlMetadata[] } | undefined;
  readonly groundingMetadata?: Json | undefined;
  readonly safetyRatings?: Json | undefined;
}

export interface PromptFeedback {
  readonly blockReason?: string | undefined;
  readonly blockReasonMessage?: string | undefined;
  readonly safetyRatings?: Json | undefined;
}

export interface ContentResponse extends StoredOutput {
  readonly type: 'content-response';
  readonly candidates: readonly ContentCandidate[];
  readonly modelVersion?: string | undefined;
  readonly responseId?: string | undefined;
  readonly promptFeedback?: PromptFeedback | undefined;
}

/** Reads a reply. The gateway's document does not show its shape: members may be camelCase, or snake_case as in requests. */
export function decodeContentReply(reply: Json): ImmediateResult {
  const body = asRecord(reply) ?? {};
  const candidates = asArray(body['candidates']).flatMap((value, index) =>
    isRecord(value) ? [decodeCandidate(value, index)] : [],
  );
  const promptFeedback = decodePromptFeedback(member(body, 'promptFeedback'));
  const output: ContentResponse = {
    type: 'content-response',
    candidates,
    modelVersion: asString(member(body, 'modelVersion')),
    responseId: asString(member(body, 'responseId')),
    promptFeedback,
  };
  const usage = decodeUsageMetadata(member(body, 'usageMetadata'));
  const replyFacts = {
    id: output.responseId,
    model: output.modelVersion,
    finishReasons: candidates.map(({ finishReason }) => finishReason),
  };
  if (candidates.length > 0) return { output, usage, replyFacts };
  const reason = promptFeedback?.blockReason;
  const message =
    reason === undefined
      ? withWords('The gateway replied without a candidate.', reply)
      : `The prompt was blocked (${reason}).${promptFeedback?.blockReasonMessage ? ` ${promptFeedback.blockReasonMessage}` : ''}`;
  return {
    output: promptFeedback && output,
    usage,
    replyFacts,
    error: {
      code: 'GATEWAY_ERROR',
      message: abbreviate(message, 1000),
      upstreamCode: reason === undefined ? findErrorCode([body]) : abbreviate(reason, 200),
    },
  };
}

/** The text of the first candidate without its thoughts; undefined when it has none. */
export function textOf({ candidates: [first] }: Pick<ContentResponse, 'candidates'>): string | undefined {
  const texts = (first?.content?.parts ?? []).flatMap(({ text, thought }) =>
    text === undefined || thought ? [] : [text],
  );
  return texts.length > 0 ? texts.join('') : undefined;
}

/** Inline data as a file; undefined unless it is an image, video or audio. */
export function toAsset({ mimeType, data, ...stored }: InlineData): Asset | undefined {
  const kind = mediaKindOf(mimeType);
  return kind && { contentType: mimeType, ...stored, kind, base64: data };
}

function decodeCandidate(candidate: JsonObject, index: number): ContentCandidate {
  const urlMetadata = asRecord(member(candidate, 'urlContextMetadata'));
  return {
    index: asCount(candidate['index']) ?? index,
    content: decodeContent(candidate['content']),
    finishReason: asString(member(candidate, 'finishReason')),
    finishMessage: asString(member(candidate, 'finishMessage')),
    urlContextMetadata: urlMetadata && {
      urlMetadata: asRecords(member(urlMetadata, 'urlMetadata')).map((retrieval) => ({
        retrievedUrl: asWebAddress(member(retrieval, 'retrievedUrl')),
        urlRetrievalStatus: asString(member(retrieval, 'urlRetrievalStatus')),
      })),
    },
    groundingMetadata: toJson(member(candidate, 'groundingMetadata')),
    safetyRatings: toJson(member(candidate, 'safetyRatings')),
  };
}

function decodeContent(value: Json | undefined): CandidateContent | undefined {
  const content = asRecord(value);
  return (
    content && {
      role: asString(content['role']),
      parts: asRecords(content['parts']).map(decodePart),
    }
  );
}

function decodePart(part: JsonObject): ContentPart {
  const inlineData = asRecord(member(part, 'inlineData'));
  const data = asString(inlineData?.['data']) || undefined;
  return {
    text: asString(part['text']),
    thought: asBoolean(part['thought']),
    inlineData:
      inlineData && data !== undefined
        ? { mimeType: asString(member(inlineData, 'mimeType')), data }
        : undefined,
  };
}

function decodePromptFeedback(value: Json | undefined): PromptFeedback | undefined {
  const feedback = asRecord(value);
  return (
    feedback && {
      blockReason: asString(member(feedback, 'blockReason')) || undefined,
      blockReasonMessage: asString(member(feedback, 'blockReasonMessage')),
      safetyRatings: toJson(member(feedback, 'safetyRatings')),
    }
  );
}

/** Native content counts candidates and thoughts separately. Completion tokens are both. */
function decodeUsageMetadata(value: Json | undefined): GenerationUsage | undefined {
  const usage = asRecord(value);
  if (!usage) return undefined;
  const outputTokens = asCount(member(usage, 'candidatesTokenCount'));
  const reasoningTokens = asCount(member(usage, 'thoughtsTokenCount'));
  const isWritten = outputTokens !== undefined || reasoningTokens !== undefined;
  return {
    promptTokens: asCount(member(usage, 'promptTokenCount')),
    completionTokens: isWritten ? (outputTokens ?? 0) + (reasoningTokens ?? 0) : undefined,
    outputTokens,
    totalTokens: asCount(member(usage, 'totalTokenCount')),
    cachedTokens: asCount(member(usage, 'cachedContentTokenCount')),
    reasoningTokens,
    promptTokensDetails: toJson(member(usage, 'promptTokensDetails')),
    completionTokensDetails: toJson(member(usage, 'candidatesTokensDetails')),
    raw: toJson(value),
  };
}

/** A member by its camelCase name, or by its snake_case name. */
function member(record: JsonObject, name: string): Json | undefined {
  return record[name] ?? record[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function toJson(value: Json | undefined): Json | undefined {
  return isObject(value) ? value : undefined;
}
