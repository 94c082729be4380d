import { tasksPath, tasksPerOperation, upstreamIdOf } from './task-workload.ts';
import { voiceCount, voicesPath } from './workload.ts';

/** Documents that servers read from the gateway. */

export type ReadWork = 'voices' | 'tasks';

export interface ReadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: { readonly pageNum: number; readonly pageSize: number };
  readonly body?: object;
  /** In each reply. */
  readonly entries: number;
  countEntries(reply: unknown): number;
}

const countEntries = (reply: unknown): number => (reply as { readonly data: readonly unknown[] }).data.length;

export const readRequests: Readonly<Record<ReadWork, ReadRequest>> = {
  voices: {
    method: 'GET',
    path: voicesPath,
    query: { pageNum: 1, pageSize: voiceCount },
    entries: voiceCount,
    countEntries,
  },
  tasks: {
    method: 'POST',
    path: tasksPath,
    body: {
      ids: Array.from({ length: tasksPerOperation }, (_, number) => upstreamIdOf(0, number)),
      action: '',
    },
    entries: tasksPerOperation,
    countEntries,
  },
};
