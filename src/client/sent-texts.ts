/*
 * What the client sends for chats, short because every page has it. Most of it is a part of the documents with the same names.
 * The manifest of trusted documents has all texts of the client.
 */

const errorFields = 'code message retry retryAfterSeconds';
const issueFields = '...on InvalidInputError{issues{path message limit received}}';
export const problemFields = `...on GengraphError{${errorFields}}${issueFields}`;
const usageFields = 'usage{promptTokens completionTokens totalTokens}';

const textFields = 'content reasoningContent refusal toolCalls{index id name arguments}';

export const startChatText = `mutation StartChat($input:ChatInput!$idempotencyKey:ID$collection:ID){startChat(input:$input idempotencyKey:$idempotencyKey collection:$collection){__typename ...on Generation{id}${problemFields}}}`;

export const chatEventsText = `subscription ChatEvents($id:ID!){chatEvents(id:$id){__typename generationId sequence ...on ChatSnapshot{soFar{choices{index message{${textFields}}finishReason}}}...on ChatDelta{fromSequence choices{index ${textFields} finishReason}}...on ChatCompleted{generation{assets{kind role url base64 contentType width height durationSeconds expiresAt}${usageFields}}}...on ChatCanceled{generation{${usageFields}}}...on ChatFailed{error{${errorFields} ${issueFields}}}}}`;

export const cancelText = `mutation Cancel($by:GenerationSelector!){cancelGeneration(by:$by){__typename ...on Generation{id status finishedAt}${problemFields}}}`;
