import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { createInbox } from '../support/inbox.ts';
import { liveShortLife, shortLifeEnv } from '../support/short-life.ts';

type Line = Readonly<Record<string, unknown>>;

/** Files for a person who reads the log alone, and for what really happened. */
const { DAY_LOG: logFile, DAY_KEY: keyFile } = process.env;

test('the log of a day says who was hurt, by what, and what it cost', async () => {
  const lines = createInbox<Line>();
  const app = await startApp({
    env: shortLifeEnv,
    sandbox: { taskSeconds: 1, tokensPerSecond: 200 },
    onLog: (line) => lines.push(line),
  });
  const happened = await liveShortLife(app, { round: 'one', lines });
  await app[Symbol.asyncDispose]();
  // As with LOG_LEVEL=info.
  const seen = lines.all.filter(({ level }) => Number(level) >= 30);
  const linesOf = (name: string): readonly Line[] => {
    const address = happened.find(({ person }) => person.name === name)?.person.address;
    const owners = new Set(seen.filter((line) => line['address'] === address).map(({ owner }) => owner));
    return seen.filter(({ owner }) => owner !== undefined && owners.has(owner));
  };
  const codesOf = (name: string): readonly unknown[] =>
    linesOf(name).flatMap(({ msg, codes }) => (msg === 'operation' && Array.isArray(codes) ? codes : []));
  expect(codesOf('anna')).toEqual([]);
  expect(codesOf('bert')).toEqual(['AUTHENTICATION_FAILED']);
  expect(codesOf('carl')).toEqual(['QUOTA_EXCEEDED']);
  expect(codesOf('dora')).toEqual(['OUTCOME_UNKNOWN']);
  expect(codesOf('fred')).toEqual(['RATE_LIMITED']);
  expect(codesOf('hugo')).toEqual(['RATE_LIMITED']);
  expect(linesOf('emil').map(({ msg }) => msg)).toContain(
    'disconnected a slow client: the send buffers exceed MAX_UNSENT_BYTES_PER_OWNER',
  );
  expect(linesOf('hugo').find(({ codes }) => codes !== undefined)).toMatchObject({
    reason: expect.stringContaining('Too many subscriptions are open'),
    limit: 'MAX_OPEN_PER_SOCKET',
  });
  const disconnected = linesOf('emil').find(({ msg }) => String(msg).startsWith('disconnected'));
  expect(disconnected).toMatchObject({
    limit: 'MAX_UNSENT_BYTES_PER_OWNER',
    limitBytes: Number(shortLifeEnv.MAX_UNSENT_BYTES_PER_OWNER),
    totalBufferedBytes: expect.any(Number),
  });
  expect(Number.isInteger(disconnected?.['stalledMs'])).toBe(true);
  // Reads of a task in the background name the task.
  const paint = linesOf('jane').find(({ operationName }) => operationName === 'Paint');
  const reads = linesOf('jane').filter(({ msg }) => msg === 'gateway request');
  expect(new Set(reads.map(({ taskId }) => taskId))).toEqual(new Set([paint?.['taskId']]));
  const ended = seen.filter(({ msg }) => msg === 'generation ended');
  const made = happened.flatMap(({ generationId }) => generationId ?? []);
  expect(new Set(ended.map(({ generationId }) => generationId))).toEqual(new Set(made));
  expect(ended).toHaveLength(made.length);
  const failures = ended
    .filter(({ level }) => Number(level) >= 40)
    .map(({ status, code, charged }) => [status, code, charged].join(' '));
  expect(new Set(failures)).toEqual(new Set(['FAILED STREAM_CUT maybe', 'UNKNOWN OUTCOME_UNKNOWN maybe']));
  // Each end names the operation that created it, and each refusal who refused.
  const creates = new Map(
    seen.flatMap(({ msg, isReplay, generationId, requestId, operationName }) =>
      msg === 'operation' && !isReplay && operationName !== 'ChatEvents' ? [[generationId, requestId]] : [],
    ),
  );
  for (const { generationId, requestId } of ended)
    expect([generationId, requestId]).toEqual([generationId, creates.get(generationId)]);
  const refusals = seen.filter(({ msg }) => msg === 'create refused');
  expect(
    new Set(
      refusals.map(({ refusedBy, upstreamStatus }) => `${String(refusedBy)} ${String(upstreamStatus)}`),
    ),
  ).toEqual(new Set(['gateway 401', 'gateway 403', 'gateway 429']));
  expect(seen.filter(({ waitedMs }) => Number(waitedMs) < 1)).toEqual([]);
  expect(linesOf('iris').some(({ waitedMs }) => Number(waitedMs) >= 1)).toBe(true);
  // Everybody is the owner of lines, with one address.
  for (const { person } of happened)
    expect([person.name, new Set(linesOf(person.name).map(({ owner }) => owner)).size]).toEqual([
      person.name,
      1,
    ]);
  expect(JSON.stringify(seen)).not.toMatch(/sk-sandbox|sk-wrong|story|fox/);
  if (logFile !== undefined)
    await writeFile(
      logFile,
      seen
        .map(
          ({ level, time, ...line }) =>
            `${JSON.stringify({ level, time: new Date(Number(time)), ...line })}\n`,
        )
        .join(''),
    );
  if (keyFile !== undefined)
    await writeFile(
      keyFile,
      happened
        .map(({ person, what, generationId = '-' }) => {
          const [line] = linesOf(person.name);
          return `${person.name}\t${person.address}\t${String(line?.['owner'])}\t${generationId}\t${what}\n`;
        })
        .join(''),
    );
});
