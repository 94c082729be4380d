const failure = 'error { __typename code retry }';
const ended = 'ended: generation { id status error { code } }';

function endings(noun: string): string {
  // Aliased, because the record of a failed event is nullable and the others are alike.
  return `... on ${noun}Completed { ${ended} } ... on ${noun}Canceled { ${ended} } ... on ${noun}Failed { ${failure} ${ended} }`;
}

const choiceParts = 'role content reasoningContent toolCalls { index id name arguments }';
const chatContent = `choices { index finishReason message { ${choiceParts} } }`;
const chat = `__typename generationId sequence soFar { ${chatContent} }
  ... on ChatDelta { fromSequence choices { index finishReason ${choiceParts} } } ${endings('Chat')}`;

const imageContent = 'images { index } failures { index }';
const image = `__typename generationId sequence soFar { ${imageContent} }
  ... on ImageDelta { fromSequence ${imageContent} } ${endings('Image')}`;

export const subscriptions = {
  streamChat: `subscription ($input: ChatInput!, $idempotencyKey: ID, $minIntervalMs: Int = 0) {
    streamChat(input: $input, idempotencyKey: $idempotencyKey, minIntervalMs: $minIntervalMs) { ${chat} } }`,
  chatEvents: `subscription ($id: ID!, $after: Int, $minIntervalMs: Int = 0) {
    chatEvents(id: $id, after: $after, minIntervalMs: $minIntervalMs) { ${chat} } }`,
  streamImages: `subscription ($input: ImageByResolutionInput!, $idempotencyKey: ID, $minIntervalMs: Int = 0) {
    streamImages(input: $input, idempotencyKey: $idempotencyKey, minIntervalMs: $minIntervalMs) { ${image} } }`,
  imageEvents: `subscription ($id: ID!, $after: Int, $minIntervalMs: Int = 0) {
    imageEvents(id: $id, after: $after, minIntervalMs: $minIntervalMs) { ${image} } }`,
} as const;
export type SubscriptionField = keyof typeof subscriptions;

const generation = `__typename id status isTerminal error { code }
  output { ... on ChatCompletion { ${chatContent} } ... on ImageSet { ${imageContent} } }`;
const result = `__typename ... on Generation { ${generation} } ... on GengraphError { code message retry }`;

export const operations = {
  startChat: `mutation ($input: ChatInput!, $idempotencyKey: ID) {
    startChat(input: $input, idempotencyKey: $idempotencyKey) { ${result} } }`,
  createChatCompletion: `mutation ($input: ChatInput!, $idempotencyKey: ID) {
    createChatCompletion(input: $input, idempotencyKey: $idempotencyKey) { ${result} } }`,
  cancelGeneration: `mutation ($by: GenerationSelector!) { cancelGeneration(by: $by) { ${result} } }`,
  generation: `query ($by: GenerationSelector!) { generation(by: $by) { ${generation} } }`,
  awaitGeneration: `query ($by: GenerationSelector!) { awaitGeneration(by: $by) { ${generation} } }`,
  usageTotals: '{ usageTotals { generations succeeded failed canceled unknown withUsage totalTokens } }',
  generations: `{ generations(first: 100) { edges { node { id prompt } } } }`,
} as const;
export type OperationField = keyof typeof operations;
