import { onTestFinished } from 'vitest';
import { startApp, type TestAppOptions } from './app.ts';
import { startFakeGateway } from './fake-gateway.ts';
import { createInbox } from './inbox.ts';

/** A log line. */
export type Line = Readonly<Record<string, unknown>>;

export const levels = { info: 30, warn: 40, error: 50 };

/** A server with its log. */
export async function startLogged(options: TestAppOptions = {}) {
  const lines = createInbox<Line>();
  const app = await startApp({ ...options, onLog: (line) => lines.push(line) });
  onTestFinished(() => app[Symbol.asyncDispose]());
  /** The first line of an operation with this code, or without one. */
  const operation = async (code?: string): Promise<Line> => {
    const isWanted = ({ msg, codes }: Line): boolean =>
      msg === 'operation' && (code === undefined ? codes === undefined : String(codes) === code);
    return (await lines.when((all) => all.some(isWanted))).find(isWanted) ?? {};
  };
  /** The first line with this message. */
  const named = async (name: string): Promise<Line> => {
    const isNamed = ({ msg }: Line): boolean => msg === name;
    return (await lines.when((all) => all.some(isNamed))).find(isNamed) ?? {};
  };
  return { app, lines, operation, named };
}

/** A gateway that refuses every request. */
export function refusing(status: number, headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify({ error: { message: 'no', code: 'x' } });
  return startFakeGateway((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
}
