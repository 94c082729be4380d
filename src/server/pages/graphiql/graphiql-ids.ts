import { getOperationAST, Kind, parse } from 'graphql';
import { placeholders } from '../../../graphql/capability.ts';
import type { IdKind } from './browser/last-ids.ts';

/** The ids that operations need, and which of these operations make them. */
export function findIdKinds(queries: readonly string[]): readonly IdKind[] {
  const creates = queries.flatMap((query) => {
    const operation = getOperationAST(parse(query));
    // Every create takes a key, and no other operation does.
    const isCreate = operation?.variableDefinitions?.some(
      ({ variable }) => variable.name.value === 'idempotencyKey',
    );
    return isCreate ? (operation?.selectionSet.selections ?? []) : [];
  });
  const fields = new Set(creates.flatMap((node) => (node.kind === Kind.FIELD ? node.name.value : [])));
  const fieldsOf = (names: readonly string[] = [...fields]): readonly string[] =>
    names.filter((name) => fields.has(name));
  const describe = (noun: string, maker: string) => ({
    maker,
    hint: `This operation needs the id of ${noun}, and none was made in this browser yet. First play ${maker}.`,
  });
  const hasWebhooks = queries.some((query) => query.includes('createWebhook('));
  const all: readonly IdKind[] = [
    {
      placeholder: placeholders.chatId,
      madeBy: fieldsOf(['startChat', 'streamChat']),
      ...describe('a chat', 'StreamChat'),
      follow: { operation: 'ChatEvents', label: 'Follow this chat to its end' },
    },
    {
      placeholder: placeholders.imageStreamId,
      madeBy: fieldsOf(['streamImages']),
      ...describe('an image stream', 'StreamImages'),
    },
    {
      placeholder: placeholders.taskId,
      madeBy: fieldsOf(),
      ...describe('a task', 'QueueImage'),
      follow: { operation: 'TaskProgress', label: 'Follow this task to its end' },
    },
    {
      placeholder: placeholders.generationId,
      madeBy: fieldsOf(),
      ...describe('a generation', 'StreamChat'),
    },
    {
      placeholder: placeholders.webhookId,
      madeBy: hasWebhooks ? ['createWebhook'] : [],
      ...describe('a webhook', 'CreateWebhook'),
    },
  ];
  return all.filter(({ madeBy }) => madeBy.length > 0);
}
