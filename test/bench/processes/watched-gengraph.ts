// Like `gengraph.ts`, but reaches the maximum poll rate quickly. Otherwise ten seconds would contain only one read.
process.env.TASK_POLL_MAX_SECONDS ??= '2';
await import('./gengraph.ts');
