export type Headers = Readonly<Record<string, string>>;

/** Ids of one caller. */
export interface Ids {
  readonly generation: string;
  readonly task: string;
  /** The id of `task` at the gateway. */
  readonly upstream: string;
  readonly chat: string;
  readonly image: string;
  readonly presetVoice: string;
  readonly clonedVoice: string;
}

export interface Row {
  readonly field: string;
  /** Distinguishes rows of one field. */
  readonly note?: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The field with its arguments and selection. */
  readonly select: (ids: Ids) => string;
  /** Whether the field takes an id. */
  readonly hasId?: boolean;
  /** The field beyond one of its limits. */
  readonly excessive?: string;
  /** Whether the selection reads a task from the gateway. */
  readonly readsTask?: boolean;
  /** Whether the field needs the system token. */
  readonly needsSystemToken?: boolean;
  /** Whether the subscription sends nothing until something changes. */
  readonly isQuiet?: boolean;
}

const manyIds = JSON.stringify(Array.from({ length: 101 }, (_, index) => `id-${index}`));
const chat = (temperature: number): string =>
  `input: { model: "gpt-4o", temperature: ${temperature}, messages: [{ role: USER, content: { text: "Hello" } }] }`;
const member = '{ __typename ... on GengraphError { code } }';
const event = '{ __typename ... on ChatFailed { error { code } } }';
const imageEvent = '{ __typename ... on ImageFailed { error { code } } }';
const image = (prompt: string): string => `input: { model: "seedream-4", prompt: "${prompt}" }`;
const clone = (voiceId: string): string =>
  `input: { fileId: 1, voiceId: "${voiceId}", previewText: "Mind the stairs.", previewModel: "speech-2.6-hd" }`;
const edges = '{ edges { node { __typename } } }';
const task = '{ readFailure { code } }';

/** One for each kind of root field. */
export const rows: readonly Row[] = [
  {
    field: 'generation',
    kind: 'query',
    select: (ids) => `generation(by: { id: "${ids.generation}" }) { id task ${task} }`,
    hasId: true,
    readsTask: true,
  },
  {
    field: 'viewer',
    kind: 'query',
    select: () => 'viewer { owner }',
  },
  {
    field: 'task',
    kind: 'query',
    select: (ids) => `task(id: "${ids.task}") ${task}`,
    hasId: true,
    readsTask: true,
  },
  {
    field: 'node',
    kind: 'query',
    select: (ids) => `node(id: "${ids.generation}") { id ... on Generation { task ${task} } }`,
    hasId: true,
    readsTask: true,
  },
  {
    field: 'awaitGeneration',
    kind: 'query',
    select: (ids) =>
      `awaitGeneration(by: { id: "${ids.generation}" }, timeoutSeconds: 0) { id task ${task} }`,
    hasId: true,
    readsTask: true,
    excessive: 'awaitGeneration(by: { id: "x" }, timeoutSeconds: 1000) { id }',
  },
  {
    field: 'generations',
    kind: 'query',
    select: () => `generations { edges { node { id task ${task} } } }`,
    readsTask: true,
    excessive: `generations(first: 101) ${edges}`,
  },
  {
    field: 'accessTokens',
    kind: 'query',
    select: () => `accessTokens ${edges}`,
    excessive: `accessTokens(first: 101) ${edges}`,
    needsSystemToken: true,
  },
  {
    field: 'usageTotals',
    note: 'grouped',
    kind: 'query',
    select: () => 'usageTotals(groupBy: [DAY]) { generations }',
    excessive: 'usageTotals(filter: { fromDay: "2020-01-01" }) { generations }',
  },
  {
    field: 'voices',
    kind: 'query',
    select: () => `voices(first: 1) ${edges}`,
    excessive: `voices(first: 101) ${edges}`,
  },
  {
    field: 'voice',
    note: 'preset',
    kind: 'query',
    select: (ids) => `voice(id: "${ids.presetVoice}") { id }`,
    hasId: true,
  },
  {
    field: 'voice',
    note: 'cloned',
    kind: 'query',
    select: (ids) => `voice(id: "${ids.clonedVoice}") { id }`,
    hasId: true,
  },
  {
    field: 'taskByHandle',
    kind: 'query',
    select: (ids) => `taskByHandle(handle: { kind: QUEUED_IMAGE, upstreamId: "${ids.upstream}" }) ${task}`,
    hasId: true,
    readsTask: true,
    excessive: `taskByHandle(handle: { kind: QUEUED_IMAGE, upstreamId: "${'x'.repeat(501)}" }) ${task}`,
  },
  {
    field: 'tasks',
    kind: 'query',
    select: (ids) => `tasks(ids: ["${ids.task}"]) ${task}`,
    hasId: true,
    readsTask: true,
    excessive: `tasks(ids: ${manyIds}) { status }`,
  },
  {
    field: 'nodes',
    kind: 'query',
    select: (ids) => `nodes(ids: ["${ids.generation}"]) { id ... on Generation { task ${task} } }`,
    hasId: true,
    readsTask: true,
    excessive: `nodes(ids: ${manyIds}) { id }`,
  },
  {
    field: 'createChatCompletion',
    kind: 'mutation',
    select: () => `createChatCompletion(${chat(1)}) ${member}`,
    excessive: `createChatCompletion(${chat(9)}) ${member}`,
  },
  {
    field: 'createImage',
    kind: 'mutation',
    select: () => `createImage(input: { byCount: { prompt: "a" } }) ${member}`,
    excessive: `createImage(input: { byCount: { prompt: "a", count: 99 } }) ${member}`,
  },
  {
    field: 'queueImage',
    kind: 'mutation',
    select: () => `queueImage(input: { prompt: "a" }) ${member}`,
    excessive: `queueImage(input: { prompt: "" }) ${member}`,
  },
  {
    field: 'cloneVoice',
    kind: 'mutation',
    select: () => `cloneVoice(${clone('lighthouse-keeper-1')}) ${member}`,
    excessive: `cloneVoice(${clone('x')}) ${member}`,
  },
  {
    field: 'createAccessToken',
    kind: 'mutation',
    select: () => `createAccessToken(input: { name: "a", quota: { isUnlimited: true } }) ${member}`,
    excessive: `createAccessToken(input: { name: "", quota: { isUnlimited: true } }) ${member}`,
    needsSystemToken: true,
  },
  {
    field: 'cancelGeneration',
    kind: 'mutation',
    select: (ids) => `cancelGeneration(by: { id: "${ids.generation}" }) ${member}`,
    hasId: true,
  },
  {
    field: 'deleteGenerations',
    kind: 'mutation',
    select: (ids) => `deleteGenerations(ids: ["${ids.generation}"]) { deletedIds }`,
    hasId: true,
    excessive: `deleteGenerations(ids: ${manyIds}) { deletedIds }`,
  },
  {
    field: 'deleteConversation',
    kind: 'mutation',
    select: (ids) => `deleteConversation(id: "${ids.chat}") { deletedIds }`,
    hasId: true,
  },
  {
    field: 'streamChat',
    kind: 'subscription',
    select: () => `streamChat(${chat(1)}, idempotencyKey: "k") ${event}`,
    excessive: `streamChat(${chat(9)}, idempotencyKey: "k") ${event}`,
  },
  {
    field: 'chatEvents',
    kind: 'subscription',
    select: (ids) => `chatEvents(id: "${ids.chat}") ${event}`,
    hasId: true,
    excessive: `chatEvents(id: "x", minIntervalMs: 10001) ${event}`,
  },
  {
    field: 'streamImages',
    kind: 'subscription',
    select: () => `streamImages(${image('a')}, idempotencyKey: "i") ${imageEvent}`,
    excessive: `streamImages(${image('')}, idempotencyKey: "i") ${imageEvent}`,
  },
  {
    field: 'imageEvents',
    kind: 'subscription',
    select: (ids) => `imageEvents(id: "${ids.image}") ${imageEvent}`,
    hasId: true,
    excessive: `imageEvents(id: "x", minIntervalMs: 10001) ${imageEvent}`,
  },
  {
    field: 'generationChanged',
    kind: 'subscription',
    select: () => 'generationChanged { cursor }',
    isQuiet: true,
    excessive: `generationChanged(filter: { models: ${manyIds} }) { cursor }`,
  },
  {
    field: 'taskProgress',
    kind: 'subscription',
    select: (ids) => `taskProgress(id: "${ids.task}") ${task}`,
    hasId: true,
    readsTask: true,
  },
  {
    field: 'tasksProgress',
    kind: 'subscription',
    select: (ids) => `tasksProgress(ids: ["${ids.task}"]) ${task}`,
    hasId: true,
    readsTask: true,
    excessive: `tasksProgress(ids: ${manyIds}) { status }`,
  },
];
