import { imageReplies } from './image-replies.ts';
import type { ReplyMembers } from './reply-members.ts';
import { taskReplies } from './task-replies.ts';

/** Replies that the gateway's document does not show, in a common shape. */
const otherReplies: readonly ReplyMembers[] = [
  {
    endpoint: 1,
    field: 'createChatCompletion',
    args: { input: { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Hello.' } }] } },
    isDocumented: false,
    reply: {
      id: 'chat-1',
      model: 'gpt-4o-1',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'Let me check.',
            reasoning_content: 'A tool knows.',
            refusal: 'no',
            tool_calls: [
              {
                index: 0,
                id: 'call-1',
                function: { name: 'look', arguments: '{}' },
                extra_content: { google: { thought_signature: 's' } },
              },
            ],
            images: [{ type: 'image_url', image_url: { url: 'https://cdn.example/fox.png' } }],
            function_call: { name: 'look', arguments: '{}' },
          },
        },
      ],
      usage: {
        prompt_tokens: 11,
        completion_tokens: 12,
        total_tokens: 23,
        prompt_tokens_details: { cached_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
    },
    members: {
      id: null,
      model: 'ChatCompletion.model',
      'choices[].index': 'ChatCompletion.choices[].index',
      'choices[].finish_reason': 'ChatCompletion.choices[].finishReason',
      'choices[].message.role': 'ChatCompletion.choices[].message.role',
      'choices[].message.content': 'ChatCompletion.choices[].message.content',
      'choices[].message.reasoning_content': 'ChatCompletion.choices[].message.reasoningContent',
      'choices[].message.refusal': 'ChatCompletion.choices[].message.refusal',
      'choices[].message.tool_calls[].index': 'ChatCompletion.choices[].message.toolCalls[].index',
      'choices[].message.tool_calls[].id': 'ChatCompletion.choices[].message.toolCalls[].id',
      'choices[].message.tool_calls[].function.name': 'ChatCompletion.choices[].message.toolCalls[].name',
      'choices[].message.tool_calls[].function.arguments':
        'ChatCompletion.choices[].message.toolCalls[].arguments',
      'choices[].message.tool_calls[].extra_content':
        'ChatCompletion.choices[].message.toolCalls[].extraContent',
      'choices[].message.images[].type': null,
      'choices[].message.images[].image_url.url': 'Asset.url',
      'choices[].message.function_call.name': 'ChatCompletion.choices[].message.functionCall.name',
      'choices[].message.function_call.arguments': 'ChatCompletion.choices[].message.functionCall.arguments',
      'usage.prompt_tokens': 'GenerationUsage.promptTokens',
      'usage.completion_tokens': 'GenerationUsage.completionTokens',
      'usage.total_tokens': 'GenerationUsage.totalTokens',
      'usage.prompt_tokens_details.cached_tokens': 'GenerationUsage.cachedTokens',
      'usage.completion_tokens_details.reasoning_tokens': 'GenerationUsage.reasoningTokens',
    },
  },
  {
    endpoint: 8,
    field: 'voices',
    args: { first: 1 },
    isDocumented: false,
    reply: {
      data: [
        {
          voice_id: 'en-us-ava',
          voice_name: 'Ava',
          language: 'en-US',
          gender: 'female',
          owned_by: 'studio',
          trial_url: 'https://example.com/ava.mp3',
        },
      ],
    },
    members: {
      'data[].voice_id': 'VoiceConnection.edges[].node.voiceId',
      'data[].voice_name': 'VoiceConnection.edges[].node.name',
      'data[].language': 'VoiceConnection.edges[].node.language',
      'data[].gender': 'VoiceConnection.edges[].node.gender',
      'data[].owned_by': 'VoiceConnection.edges[].node.provider',
      'data[].trial_url': 'VoiceConnection.edges[].node.previewUrl',
    },
  },
  {
    endpoint: 20,
    field: 'generateContent',
    args: { input: { model: 'm', contents: [{ parts: [{ text: 'Hello.' }] }] } },
    isDocumented: false,
    reply: {
      candidates: [
        {
          index: 0,
          content: {
            role: 'model',
            parts: [{ text: 'A fox.' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
          },
          finishReason: 'STOP',
          urlContextMetadata: {
            urlMetadata: [{ retrievedUrl: 'https://example.com/', urlRetrievalStatus: 'OK' }],
          },
        },
      ],
      modelVersion: 'm-1',
      responseId: 'r-1',
      usageMetadata: {
        promptTokenCount: 11,
        candidatesTokenCount: 12,
        thoughtsTokenCount: 3,
        cachedContentTokenCount: 2,
        totalTokenCount: 26,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 11 }],
        candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 12 }],
      },
    },
    members: {
      'candidates[].index': 'ContentResponse.candidates[].index',
      'candidates[].content.role': 'ContentResponse.candidates[].content.role',
      'candidates[].content.parts[].text': 'ContentResponse.candidates[].content.parts[].text',
      'candidates[].content.parts[].inlineData.mimeType':
        'ContentResponse.candidates[].content.parts[].inlineData.mimeType',
      'candidates[].content.parts[].inlineData.data':
        'ContentResponse.candidates[].content.parts[].inlineData.data',
      'candidates[].finishReason': 'ContentResponse.candidates[].finishReason',
      'candidates[].urlContextMetadata.urlMetadata[].retrievedUrl':
        'ContentResponse.candidates[].urlContextMetadata.urlMetadata[].retrievedUrl',
      'candidates[].urlContextMetadata.urlMetadata[].urlRetrievalStatus':
        'ContentResponse.candidates[].urlContextMetadata.urlMetadata[].urlRetrievalStatus',
      modelVersion: 'ContentResponse.modelVersion',
      responseId: 'ContentResponse.responseId',
      'usageMetadata.promptTokenCount': 'GenerationUsage.promptTokens',
      'usageMetadata.candidatesTokenCount': 'GenerationUsage.outputTokens',
      'usageMetadata.thoughtsTokenCount': 'GenerationUsage.reasoningTokens',
      'usageMetadata.cachedContentTokenCount': 'GenerationUsage.cachedTokens',
      'usageMetadata.totalTokenCount': 'GenerationUsage.totalTokens',
      'usageMetadata.promptTokensDetails': 'GenerationUsage.promptTokensDetails',
      'usageMetadata.candidatesTokensDetails': 'GenerationUsage.completionTokensDetails',
    },
  },
];

/** Every reply that the gateway's document shows, and common shapes of others. */

export const replies: readonly ReplyMembers[] = [...imageReplies, ...taskReplies, ...otherReplies];
