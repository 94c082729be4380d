import { taskIdOf } from '../../src/tasks/task-kinds.ts';

/** Music tasks that never finish, and the requests that read them. */

export const tasksPath = '/music/fetch';
export const tasksPerOperation = 100;

/** Request form: the upstream body, one list field, or one alias per task. */
export type TaskForm = 'wire' | 'list' | 'aliases';

const shown = 'id status progress rawStatus isTerminal';
export const shownCount = shown.split(' ').length;

const tasksQuery = `query Tasks($ids: [ID!]!) { tasks(ids: $ids) { ${shown} } }`;

/** The document is constant, as from a client library: the ids are variables. */
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

/** An upstream id of realistic length. */
export function upstreamIdOf(caller: number, number: number): string {
  return `3d1f8c52-60b7-4e0a-9c4e-${String(caller).padStart(4, '0')}${String(number).padStart(8, '0')}`;
}

/** The task id of Gengraph. */
export function graphIdOf(upstreamId: string): string {
  return taskIdOf({ kind: 'SONG', upstreamId });
}

/** The request for all tasks of a caller, by the ids of the server. */
export function taskRequest(form: TaskForm, ids: readonly string[]): string {
  if (form === 'wire') return JSON.stringify({ ids, action: '' });
  if (form === 'list') return JSON.stringify({ query: tasksQuery, variables: { ids } });
  const variables = Object.fromEntries(ids.map((id, number) => [`id${number}`, id]));
  return JSON.stringify({ query: aliasesQuery, variables });
}

function numbers(): readonly number[] {
  return Array.from({ length: tasksPerOperation }, (_, number) => number);
}
