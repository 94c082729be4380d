import { InvalidInputError, RequestError } from '../errors.ts';
import { type Delivery, keptDeliveries, maxWebhooks, type Webhook } from '../store/webhook-records.ts';
import type { NewWebhook, OwnerWebhooks } from '../webhooks/owner-webhooks.ts';
import { type Context, requireCaller } from './context.ts';
import { generationKindEnum, taskStatusEnum } from './generation.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';
import { shownOnceField } from './limit-answers.ts';
import { shared } from './shared-descriptions.ts';

function webhookRef({ builder, kinds, use }: Graph) {
  return builder.objectRef<Webhook>('Webhook').implement({
    description: 'A URL that is called when a generation of the caller ends. Null lists: all.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Webhook id.' }),
      url: t.expose('url', { type: 'URL', ...nullable('As given.') }),
      kinds: t.field({
        type: [use(generationKindEnum)],
        nullable: true,
        // An operator can go back to a version without a kind.
        resolve: (webhook) => webhook.kinds?.filter((kind) => kinds.has(kind)),
      }),
      statuses: t.expose('statuses', { type: [use(taskStatusEnum)], nullable: true }),
      collections: t.exposeIDList('collections', nullable('As given.')),
      includeContent: t.exposeBoolean('hasContent', {
        description: 'Whether events have the prompt and the text.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
      disabledAt: t.expose('disabledAt', {
        type: 'DateTime',
        ...nullable('When the receiver answered 410.'),
      }),
    }),
  });
}

function deliveryStateEnum({ builder }: Graph) {
  return builder.enumType('DeliveryState', {
    description: 'State of a delivery.',
    values: {
      PENDING: { description: 'Waits for its first or next attempt.' },
      DELIVERED: { description: 'The receiver answered with 2xx.' },
      FAILED: { description: 'Given up.' },
    },
  } as const);
}

function webhookDeliveryRef({ builder, use }: Graph) {
  return builder.objectRef<Delivery>('WebhookDelivery').implement({
    description: 'An event on its way to a webhook.',
    fields: (t) => ({
      eventId: t.id({
        description: 'Header `webhook-id`, the same on every attempt.',
        resolve: ({ event }) => event.id,
      }),
      generationId: t.id({
        description: shared.generationId,
        resolve: ({ event }) => event.generationId,
      }),
      status: t.field({ type: use(taskStatusEnum), resolve: ({ event }) => event.status }),
      corrects: t.id({
        ...nullable('Event of the end that this one replaces.'),
        resolve: ({ event }) => event.corrects,
      }),
      state: t.expose('state', { type: use(deliveryStateEnum) }),
      attempts: t.exposeInt('attempts', { description: 'Requests so far.' }),
      attemptedAt: t.expose('attemptedAt', { type: 'DateTime', ...nullable('Time of the last attempt.') }),
      responseStatus: t.exposeInt('responseStatus', nullable('HTTP status of the last reply, if any.')),
      failure: t.exposeString('failure', nullable('Why the last attempt failed.')),
    }),
  });
}

function createdWebhookRef({ builder, use }: Graph) {
  return builder
    .objectRef<{ readonly webhook: Webhook; readonly secret: string }>('CreatedWebhook')
    .implement({
      description: 'A new webhook.',
      fields: (t) => ({
        webhook: t.expose('webhook', { type: use(webhookRef) }),
        secret: t.exposeString('secret', {
          ...shownOnceField,
          description: 'Key of the signatures (Standard Webhooks). Shown only here.',
        }),
      }),
    });
}

function createWebhookResult({ builder, use }: Graph) {
  return builder.errorUnion('CreateWebhookResult', {
    description: 'The new webhook, or an error.',
    types: [use(createdWebhookRef), InvalidInputError],
    resolveType: () => 'CreatedWebhook',
  });
}

function createWebhookInput({ builder, use }: Graph) {
  return builder.inputType('CreateWebhookInput', {
    description: 'A webhook, and the ends that it gets. Omitted lists: all.',
    fields: (t) => ({
      url: t.field({
        type: 'URL',
        required: true,
        description: 'https, of a host that the operator allows.',
      }),
      kinds: t.field({ type: [use(generationKindEnum)] }),
      statuses: t.field({
        type: [use(taskStatusEnum)],
        description: 'SUCCEEDED, FAILED, CANCELED or UNKNOWN.',
      }),
      collections: t.idList({ description: 'At most 100, like every list.' }),
      includeContent: t.boolean({
        description: 'Whether events have the prompt and the text.',
        defaultValue: false,
      }),
    }),
  });
}

export function addWebhooks(graph: Graph): void {
  const { builder, use } = graph;
  builder.mutationField('createWebhook', (t) =>
    t.field({
      type: use(createWebhookResult),
      nullable: true,
      description: `Calls a URL when your generations end. At most ${maxWebhooks}. BAD_REQUEST if the server does not offer it.`,
      args: { input: t.arg({ type: use(createWebhookInput), required: true }) },
      resolve: async (_root, { input }, context) => {
        const { url, kinds, statuses, collections, includeContent } = input;
        const lists = {
          kinds: kinds ?? undefined,
          statuses: statuses ?? undefined,
          collections: collections?.map(String),
        };
        const webhook: NewWebhook = { url, hasContent: includeContent ?? false, ...lists };
        const isAccepted = context.engine.acceptedCallers.has(requireCaller(context));
        const created = await useWebhooks(context, (webhooks, owner) =>
          webhooks.create({ owner, isAccepted }, webhook),
        );
        if (context.notes) context.notes.isShownOnce = true;
        return created;
      },
    }),
  );
  builder.mutationField('deleteWebhook', (t) =>
    t.boolean({
      nullable: true,
      description: 'Deletes a webhook and gives up its deliveries. False if unknown.',
      args: { id: t.arg.id({ required: true, description: 'Webhook id.' }) },
      resolve: (_root, { id }, context) =>
        useWebhooks(context, (webhooks, owner) => webhooks.delete(owner, id)),
    }),
  );
  builder.mutationField('redeliverWebhookEvents', (t) =>
    t.field({
      type: [use(webhookDeliveryRef)],
      nullable: true,
      description: `Delivers events again, with the same ids. Returns those that are still kept, at most ${keptDeliveries}.`,
      args: {
        webhookId: t.arg.id({ required: true, description: 'Webhook id.' }),
        eventIds: t.arg.idList({ description: `At most ${keptDeliveries}. Default: those that failed.` }),
      },
      resolve: (_root, { webhookId, eventIds }, context) =>
        useWebhooks(context, (webhooks, owner) =>
          webhooks.redeliver(owner, webhookId, eventIds ?? undefined),
        ),
    }),
  );
  builder.queryField('webhooks', (t) =>
    t.field({
      type: [use(webhookRef)],
      nullable: true,
      description: "The caller's webhooks, oldest first.",
      resolve: (_root, _args, context) => useWebhooks(context, (webhooks, owner) => webhooks.list(owner)),
    }),
  );
  builder.queryField('webhookDeliveries', (t) =>
    t.field({
      type: [use(webhookDeliveryRef)],
      nullable: true,
      description: `The last ${keptDeliveries} deliveries of a webhook, newest first. Null if the webhook is unknown.`,
      args: { webhookId: t.arg.id({ required: true, description: 'Webhook id.' }) },
      resolve: (_root, { webhookId }, context) =>
        useWebhooks(context, (webhooks, owner) => webhooks.listDeliveries(owner, webhookId)),
    }),
  );
}

/** @throws RequestError if the operator allows callers no webhooks */
function useWebhooks<Result>(
  context: Context,
  use: (webhooks: OwnerWebhooks, owner: string) => Promise<Result>,
): Promise<Result> {
  const { owner } = requireCaller(context);
  const { ownerWebhooks } = context.engine;
  if (ownerWebhooks) return use(ownerWebhooks, owner);
  throw new RequestError(
    'BAD_REQUEST',
    'This server has no webhooks of callers. Its operator turns them on with OWNER_WEBHOOKS=on.',
  );
}
