import { taskIdOf } from '../../src/tasks/task-kinds.ts';

/** Music tasks that are at work for ever: how they are asked for, upstream and in a graph. */

export const tasksPath = '/music/fetch';
export const tasksPerOperation = 100;

/** How a client asks: the wire's own body, one list, or an alias for each. */
export type TaskForm = 'wire' | 'list' | 'aliases';

const shown = 'id status progress rawStatus isTerminal';
export const shownCount = shown.split(' ').length;

const tasksQuery = `query Tasks($ids: [ID!]!) { tasks(ids: $ids) { ${shown} } }`;

/** Always the same text, as a client library makes it: the ids are variables. */
const aliasesQuery = `
  query Tasks(${numbers()
    .map((number) => `$id${number}: ID!`)
    .join(', ')}) {
    ${numbers()
      .map((number) => `task${number}: task(id: $id${number}) { ...Shown }`)
      .join('\n    ')}
  }
  fragment Shown on Task { ${shown} }
`;

export const taskSubscription = `subscription Progress($id: ID!) { taskProgress(id: $id) { ${shown} } }`;

/** An upstream id, as long as such ids are. */
export function upstreamIdOf(caller: number, number: number): string {
  return `3d1f8c52-60b7-4e0a-9c4e-${String(caller).padStart(4, '0')}${String(number).padStart(8, '0')}`;
}

/** What Gengraph calls it. */
export function graphIdOf(upstreamId: string): string {
  return taskIdOf({ kind: 'SONG', upstreamId });
}

/** The request for all tasks of a caller, by ids as its server knows them. */
export function taskRequest(form: TaskForm, ids: readonly string[]): string {
  if (form === 'wire') return JSON.stringify({ ids, action: '' });
  if (form === 'list') return JSON.stringify({ query: tasksQuery, variables: { ids } });
  const variables = Object.fromEntries(ids.map((id, number) => [`id${number}`, id]));
  return JSON.stringify({ query: aliasesQuery, variables });
}

function numbers(): readonly number[] {
  return Array.from({ length: tasksPerOperation }, (_, number) => number);
}
