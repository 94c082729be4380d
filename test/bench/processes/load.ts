import { serveCalls } from '../child-process.ts';
import { runQueries } from './query-load.ts';
import { createStreamLoad } from './stream-load.ts';

/** The clients of every server under test, in one process of their own. */
const calls = { runQueries, ...createStreamLoad() };
export type LoadCalls = typeof calls;
serveCalls(calls);
