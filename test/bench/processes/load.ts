import { serveCalls } from '../child-process.ts';
import { paceChats, startChats } from './chat-load.ts';
import { measureFirstTokens } from './first-token-load.ts';
import { paceQueries, runQueries } from './query-load.ts';
import { createImageLoad } from './image-load.ts';
import { createStreamLoad } from './stream-load.ts';

/** The clients of all servers under test, in one process. */
const calls = {
  runQueries,
  paceQueries,
  startChats,
  paceChats,
  measureFirstTokens,
  ...createImageLoad(),
  ...createStreamLoad(),
};
export type LoadCalls = typeof calls;
serveCalls(calls);
