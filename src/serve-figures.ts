import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Config, ConfigError } from './config.ts';
import { listenForMetrics, type MetricsServer } from './metrics/metrics-server.ts';
import { codeOf, messageOf } from './lib/thrown.ts';

/** Reads all figures as Prometheus text. */
export type ReadFigures = () => Promise<string>;

/** The other processes of a server that has several. One of them serves the figures of all. */
export interface Siblings {
  /** Names this process in the log and the figures. */
  readonly number: number;
  /** The whole MAX_OPEN_PER_OWNER, for what is counted over all processes. */
  readonly maxOpenPerOwner: number;
  /** Adds the figures of this process to those of all. */
  offerFigures(read: ReadFigures): void;
  readonly readAllFigures: ReadFigures;
}

/**
 * Where Prometheus reads the figures.
 * @param read undefined if nothing is measured
 */
export function createServedFigures(config: Config, read: ReadFigures | undefined, siblings?: Siblings) {
  let server: MetricsServer | undefined;
  return {
    /** Answers on the main port. Undefined if they are not served there. */
    onMainPort:
      config.METRICS_ON_MAIN_PORT && read
        ? createFiguresHandler(siblings?.readAllFigures ?? read)
        : undefined,
    /** The address of their own port. */
    get url(): string | undefined {
      return server?.url;
    },
    async listen(): Promise<void> {
      if (!read) return;
      if (siblings) siblings.offerFigures(read);
      else server = await serveFigures(config, read);
    },
    close: async () => server?.close(),
  };
}

function createFiguresHandler(read: ReadFigures) {
  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await read().catch((error: unknown) => `# failed to export metrics: ${String(error)}`);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
  };
}

/** Serves the figures on a port of their own, if the settings name one. @throws ConfigError if the port is taken, or the listen error if HOST is no address */
export async function serveFigures(
  { METRICS_PORT: port, METRICS_HOST, HOST }: Config,
  read: ReadFigures,
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  const address = { port, host: METRICS_HOST ?? HOST };
  return listenForMetrics(createFiguresHandler(read), address).catch((cause: unknown) => {
    const isOfPort = /^(EADDRINUSE|EACCES)$/.test(codeOf(cause));
    if (METRICS_HOST === undefined && !isOfPort) throw cause;
    refuseMetrics(cause);
  });
}

/** The error of the port itself would be explained as one of PORT. */
function refuseMetrics(cause: unknown): never {
  const reason = messageOf(cause);
  throw new ConfigError(`Cannot start: no metrics (${reason}). Change METRICS_PORT or METRICS_HOST.`, {
    cause,
  });
}
