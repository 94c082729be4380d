import { assetRef } from '../../graphql/asset.ts';
import type { Asset } from '../../generations/asset.ts';
import type { Graph } from '../../graphql/graph.ts';
import type { OutputType } from '../../graphql/generation-output.ts';
import {
  type CandidateContent,
  type ContentCandidate,
  type ContentPart,
  type ContentResponse,
  type InlineData,
  type PromptFeedback,
  textOf,
  toAsset,
  type UrlMetadata,
} from './wire.ts';

function inlineDataRef({ builder }: Graph) {
  return builder.objectRef<InlineData>('ContentInlineData').implement({
    description: 'A file in a reply. Wire name `inlineData`.',
    fields: (t) => ({
      mimeType: t.exposeString('mimeType', { nullable: true, description: 'Its MIME type, as reported.' }),
      data: t.exposeString('data', { description: 'Its bytes in base64.' }),
    }),
  });
}

function contentPartRef({ builder, use }: Graph) {
  return builder.objectRef<ContentPart>('ContentPart').implement({
    description:
      'A piece of a reply. One that is neither text nor a file is in `raw` of the generation only.',
    fields: (t) => ({
      text: t.exposeString('text', { nullable: true, description: 'A piece of text.' }),
      thought: t.exposeBoolean('thought', {
        nullable: true,
        description: 'Whether the text is a thought on the way rather than the reply; null where not said.',
      }),
      inlineData: t.expose('inlineData', {
        type: use(inlineDataRef),
        nullable: true,
        description: 'A file, of whatever type.',
      }),
      asset: t.field({
        type: use(assetRef),
        nullable: true,
        description: 'The file of `inlineData` as an asset, where it is an image, video or audio.',
        resolve: ({ inlineData }) => inlineData && toAsset(inlineData),
      }),
    }),
  });
}

function candidateContentRef({ builder, use }: Graph) {
  return builder.objectRef<CandidateContent>('ContentCandidateContent').implement({
    description: 'What a candidate says.',
    fields: (t) => ({
      role: t.exposeString('role', { nullable: true, description: 'Who speaks; commonly `model`.' }),
      parts: t.field({
        type: [use(contentPartRef)],
        description: 'Its pieces, in order.',
        resolve: ({ parts }) => [...parts],
      }),
    }),
  });
}

function urlMetadataRef({ builder }: Graph) {
  return builder.objectRef<UrlMetadata>('ContentUrlMetadata').implement({
    description: 'An address that the model asked for.',
    fields: (t) => ({
      retrievedUrl: t.expose('retrievedUrl', {
        type: 'URL',
        nullable: true,
        description: 'The address, as reported.',
      }),
      urlRetrievalStatus: t.exposeString('urlRetrievalStatus', {
        nullable: true,
        description: "Whether it could be read, in the gateway's words, e.g. `URL_RETRIEVAL_STATUS_SUCCESS`.",
      }),
    }),
  });
}

function urlContextMetadataRef({ builder, use }: Graph) {
  return builder
    .objectRef<NonNullable<ContentCandidate['urlContextMetadata']>>('ContentUrlContextMetadata')
    .implement({
      description: 'What came of reading the addresses that the text names (`urlContext`).',
      fields: (t) => ({
        urlMetadata: t.field({
          type: [use(urlMetadataRef)],
          description: 'The addresses that were asked for, in the order of the gateway.',
          resolve: ({ urlMetadata }) => [...urlMetadata],
        }),
      }),
    });
}

function contentCandidateRef({ builder, use }: Graph) {
  return builder.objectRef<ContentCandidate>('ContentCandidate').implement({
    description: 'One of the replies to choose from.',
    fields: (t) => ({
      index: t.exposeInt('index', {
        description: 'Which candidate it is, from 0: as reported, else its place in the list.',
      }),
      content: t.expose('content', {
        type: use(candidateContentRef),
        nullable: true,
        description: 'What it says; null where that was held back.',
      }),
      finishReason: t.exposeString('finishReason', {
        nullable: true,
        description: 'Why it ends, as one word of the gateway, e.g. `STOP`, `MAX_TOKENS`, `SAFETY`.',
      }),
      finishMessage: t.exposeString('finishMessage', {
        nullable: true,
        description: "Why it ends, in the gateway's words for people.",
      }),
      urlContextMetadata: t.expose('urlContextMetadata', {
        type: use(urlContextMetadataRef),
        nullable: true,
        description: 'Which addresses were read, and whether that went well; null without `urlContext`.',
      }),
      groundingMetadata: t.expose('groundingMetadata', {
        type: 'JSON',
        nullable: true,
        description: 'The sources that the reply rests on, as reported.',
      }),
      safetyRatings: t.expose('safetyRatings', {
        type: 'JSON',
        nullable: true,
        description: 'The ratings of the safety filters, as reported.',
      }),
    }),
  });
}

function promptFeedbackRef({ builder }: Graph) {
  return builder.objectRef<PromptFeedback>('ContentPromptFeedback').implement({
    description: 'What the safety filters say of the prompt.',
    fields: (t) => ({
      blockReason: t.exposeString('blockReason', {
        nullable: true,
        description: 'Why the prompt was blocked, as one word of the gateway; null where it was not.',
      }),
      blockReasonMessage: t.exposeString('blockReasonMessage', {
        nullable: true,
        description: "Why the prompt was blocked, in the gateway's words for people; null where it was not.",
      }),
      safetyRatings: t.expose('safetyRatings', {
        type: 'JSON',
        nullable: true,
        description: 'The ratings of the safety filters, as reported.',
      }),
    }),
  });
}

function contentResponseRef({ builder, use }: Graph) {
  return builder.objectRef<ContentResponse>('ContentResponse').implement({
    description: 'A reply in the native format. The whole of it is in `raw` of the generation.',
    fields: (t) => ({
      candidates: t.field({
        type: [use(contentCandidateRef)],
        description: 'The replies; empty where the prompt was blocked.',
        resolve: ({ candidates }) => [...candidates],
      }),
      text: t.string({
        nullable: true,
        description: 'All text of the first candidate, without thoughts; null where it has none.',
        resolve: textOf,
      }),
      modelVersion: t.exposeString('modelVersion', {
        nullable: true,
        description: 'The model that answered.',
      }),
      responseId: t.exposeString('responseId', {
        nullable: true,
        description: "The reply's own id at the gateway.",
      }),
      promptFeedback: t.expose('promptFeedback', {
        type: use(promptFeedbackRef),
        nullable: true,
        description: 'What the safety filters say of the prompt.',
      }),
    }),
  });
}

function contentAssets({ candidates }: ContentResponse): readonly Asset[] {
  return candidates.flatMap(({ content }) =>
    (content?.parts ?? []).flatMap(({ inlineData }) => (inlineData && toAsset(inlineData)) ?? []),
  );
}

export const contentResponseOutput: OutputType<ContentResponse> = {
  type: 'content-response',
  ref: contentResponseRef,
  assets: contentAssets,
};
