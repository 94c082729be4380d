import { packId } from '../lib/ids.ts';
import { type ExampleOperation, placeholders } from './capability.ts';

const { generationId, chatId, taskId, webhookId } = placeholders;
/** A preset voice of the sandbox. */
const voiceId = packId('voice', ['preset', 'en-us-ava']);

const newWebhook = { url: 'https://example.com/hooks', statuses: ['SUCCEEDED', 'FAILED'] };
const setting = 'OWNER_WEBHOOKS';

export const generalOperations: readonly ExampleOperation[] = [
  { name: 'cancel-generation', variables: { by: { idempotencyKey: 'my-first-story' } } },
  { name: 'task-progress', variables: { id: taskId } },
  { name: 'tasks-progress', variables: { ids: [taskId] } },
  { name: 'task', variables: { id: taskId } },
  { name: 'tasks', variables: { ids: [taskId] } },
  // The sandbox has a task for every id of this kind.
  { name: 'task-by-handle', variables: { handle: { kind: 'MULTI_IMAGE_VIDEO', upstreamId: 'demo' } } },
  { name: 'generation', variables: { by: { idempotencyKey: 'my-first-story' } } },
  { name: 'await-generation', variables: { by: { id: generationId }, timeoutSeconds: 30 } },
  { name: 'generations', variables: { first: 10, orderBy: { direction: 'DESC' } } },
  { name: 'conversations', variables: { first: 10, filter: { onlyFirstTurns: true } } },
  { name: 'conversation', variables: { by: { id: chatId } } },
  { name: 'usage-totals', variables: { groupBy: ['DAY', 'MODEL'] } },
  { name: 'viewer', variables: {} },
  { name: 'generation-changed', variables: {} },
  { name: 'input-schema', variables: { input: 'ChatInput' } },
  { name: 'create-upload', variables: { input: { contentType: 'image/png', sizeBytes: 1024 } } },
  { name: 'delete-generations', variables: { ids: [generationId] } },
  { name: 'delete-conversation', variables: { id: chatId } },
  { name: 'create-webhook', variables: { input: newWebhook }, setting },
  { name: 'webhooks', variables: {}, setting },
  { name: 'webhook-deliveries', variables: { webhookId }, setting },
  { name: 'redeliver-webhook-events', variables: { webhookId }, setting },
  { name: 'delete-webhook', variables: { id: webhookId }, setting },
  { name: 'node', variables: { id: voiceId } },
  { name: 'nodes', variables: { ids: [voiceId, generationId] } },
];
