import { serveCalls } from '../child-process.ts';
import { startChats } from './chat-load.ts';
import { runQueries } from './query-load.ts';
import { createStreamLoad } from './stream-load.ts';

/** The clients of all servers under test, in one process. */
const calls = { runQueries, startChats, ...createStreamLoad() };
export type LoadCalls = typeof calls;
serveCalls(calls);
