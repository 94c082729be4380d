import { assetRef } from '../../graphql/asset.ts';
import type { Asset } from '../../generations/asset.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import { base64Of } from '../../graphql/inline-content.ts';
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
    description: 'Inline file.',
    fields: (t) => ({
      mimeType: t.exposeString('mimeType', nullable('MIME type, as reported.')),
      data: t.string({
        description: 'Base64 data. Empty if this server has removed the file.',
        resolve: async ({ data, file }, _args, context) =>
          (await base64Of({ base64: data, file }, context)) ?? '',
      }),
    }),
  });
}

function contentPartRef({ builder, use }: Graph) {
  return builder.objectRef<ContentPart>('ContentPart').implement({
    description: 'Part of a reply. Parts of other kinds are only in `Generation.raw`.',
    fields: (t) => ({
      text: t.exposeString('text', nullable('Text.')),
      isThought: t.exposeBoolean('thought', nullable('Whether the text is reasoning.')),
      inlineData: t.expose('inlineData', { type: use(inlineDataRef), ...nullable('File of any type.') }),
      asset: t.field({
        type: use(assetRef),
        ...nullable('The file as an asset. Null unless it is an image, video or audio.'),
        resolve: ({ inlineData }) => inlineData && toAsset(inlineData),
      }),
    }),
  });
}

function candidateContentRef({ builder, use }: Graph) {
  return builder.objectRef<CandidateContent>('ContentCandidateContent').implement({
    description: 'Content of a candidate.',
    fields: (t) => ({
      role: t.exposeString('role', nullable('Author, usually `model`.')),
      parts: t.expose('parts', { type: [use(contentPartRef)], description: 'Parts in order.' }),
    }),
  });
}

function urlMetadataRef({ builder }: Graph) {
  return builder.objectRef<UrlMetadata>('ContentUrlMetadata').implement({
    description: 'URL that the model requested.',
    fields: (t) => ({
      retrievedUrl: t.expose('retrievedUrl', { type: 'URL', ...nullable('URL, as reported.') }),
      urlRetrievalStatus: t.exposeString(
        'urlRetrievalStatus',
        nullable('Result as reported, such as `URL_RETRIEVAL_STATUS_SUCCESS`.'),
      ),
    }),
  });
}

function urlContextMetadataRef({ builder, use }: Graph) {
  return builder
    .objectRef<NonNullable<ContentCandidate['urlContextMetadata']>>('ContentUrlContextMetadata')
    .implement({
      description: 'Results of `urlContext`.',
      fields: (t) => ({
        urlMetadata: t.expose('urlMetadata', {
          type: [use(urlMetadataRef)],
          description: 'Requested URLs.',
        }),
      }),
    });
}

function contentCandidateRef({ builder, use }: Graph) {
  return builder.objectRef<ContentCandidate>('ContentCandidate').implement({
    description: 'Candidate reply.',
    fields: (t) => ({
      index: t.exposeInt('index', {
        description: 'Position, from 0.',
      }),
      content: t.expose('content', {
        type: use(candidateContentRef),
        ...nullable('Content. Null if withheld.'),
      }),
      finishReason: t.exposeString(
        'finishReason',
        nullable('Reason as reported, such as `STOP`, `MAX_TOKENS` or `SAFETY`.'),
      ),
      finishMessage: t.exposeString('finishMessage', nullable('Readable reason, as reported.')),
      urlContextMetadata: t.expose('urlContextMetadata', {
        type: use(urlContextMetadataRef),
        ...nullable('URL retrieval results. Null without `urlContext`.'),
      }),
      groundingMetadata: t.expose('groundingMetadata', {
        type: 'JSON',
        ...nullable('Sources of the reply, as reported.'),
      }),
      safetyRatings: t.expose('safetyRatings', { type: 'JSON', ...nullable('As reported.') }),
    }),
  });
}

function promptFeedbackRef({ builder }: Graph) {
  return builder.objectRef<PromptFeedback>('ContentPromptFeedback').implement({
    description: 'Safety feedback on the prompt.',
    fields: (t) => ({
      blockReason: t.exposeString('blockReason', nullable('Null if not blocked.')),
      blockReasonMessage: t.exposeString('blockReasonMessage', nullable('Readable reason, if blocked.')),
      safetyRatings: t.expose('safetyRatings', { type: 'JSON', ...nullable('As reported.') }),
    }),
  });
}

function contentResponseRef({ builder, use }: Graph) {
  return builder.objectRef<ContentResponse>('ContentResponse').implement({
    description: 'Reply in the native format. `Generation.raw` has all of it.',
    fields: (t) => ({
      candidates: t.field({
        type: [use(contentCandidateRef)],
        description: 'Empty if the prompt was blocked.',
        resolve: ({ candidates }) => withFileIndexes(candidates),
      }),
      text: t.string({
        ...nullable('Text of the first candidate, without reasoning.'),
        resolve: textOf,
      }),
      modelVersion: t.exposeString('modelVersion', nullable('Model that replied.')),
      responseId: t.exposeString('responseId', nullable('Id of the reply at the gateway.')),
      promptFeedback: t.expose('promptFeedback', {
        type: use(promptFeedbackRef),
        nullable: true,
      }),
    }),
  });
}

/** Each file has the index that it has among the assets. */
function withFileIndexes(candidates: readonly ContentCandidate[]): ContentCandidate[] {
  let index = 0;
  const withIndex = (part: ContentPart): ContentPart =>
    part.inlineData && toAsset(part.inlineData)
      ? { ...part, inlineData: { ...part.inlineData, index: index++ } }
      : part;
  return candidates.map(({ content, ...candidate }) => ({
    ...candidate,
    content: content && { ...content, parts: content.parts.map(withIndex) },
  }));
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
  texts: (response) => response.candidates.map((candidate) => textOf({ candidates: [candidate] }) ?? ''),
};
