import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { ActivityLog } from './activity.ts';
import { ClientLeft, readBodyText } from './body.ts';
import { invalidRequest, notFound, Refusal, toErrorBody } from './errors.ts';
import { hasMoreValuesAtOnce } from '../../lib/count-values.ts';
import { parseJson } from '../../lib/json.ts';
import {
  replyJson,
  type Exchange,
  type Handler,
  type Route,
  type SandboxEnv,
  type Services,
} from './routes.ts';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly services: Services;
  readonly activity: ActivityLog;
}

/** Routes requests to their handlers, and turns every error into JSON. */
export function createApp({ routes, services, activity }: AppOptions): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use(async (exchange, next) => {
    await receiveBody(exchange, activity);
    await next();
  });

  for (const { method, path, load } of routes) {
    let handler: Handler | undefined;
    app.on(method, path, async (exchange) => {
      handler ??= await load();
      return handler(exchange, services);
    });
  }
  const paths = new Set(routes.map((route) => route.path));
  for (const path of paths) {
    const methods = routes.filter((route) => route.path === path).map((route) => route.method);
    app.all(path, (exchange) => refuseMethod(exchange, methods));
  }

  app.notFound((exchange) => {
    const { method, path } = exchange.req;
    return replyRefusal(exchange, notFound(`${method} ${path}: no such endpoint`));
  });
  app.onError((error, exchange) => {
    if (error instanceof ClientLeft || exchange.env.outgoing.destroyed) return RESPONSE_ALREADY_SENT;
    return replyRefusal(exchange, toRefusal(error));
  });
  return app;
}

/** Each wrong value takes a kilobyte in the list of problems. */
const maxValues = 200_000;

class TooManyValues extends SyntaxError {}

async function receiveBody(exchange: Exchange, activity: ActivityLog): Promise<void> {
  const { incoming } = exchange.env;
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  let text = '';
  try {
    if (hasBody) text = await readBodyText(incoming);
    if (hasMoreValuesAtOnce(text, maxValues)) throw new TooManyValues();
    exchange.set('body', { value: text === '' ? undefined : parseJson(text) });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const problem =
      error instanceof TooManyValues ? `has more than ${maxValues} values` : 'is not valid JSON';
    // The handler throws this error after it has checked the credential, so that a wrong credential is reported first.
    exchange.set('body', { error: invalidRequest(`the body ${problem}`) });
  } finally {
    activity.arrived(incoming, text);
  }
}

function refuseMethod(exchange: Exchange, methods: readonly string[]): Response {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (exchange.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const refusal = new Refusal({
    status: 405,
    code: 'method_not_allowed',
    type: 'invalid_request_error',
    message: `${exchange.req.path} takes ${methods.join(' or ')}, not ${exchange.req.method}`,
    headers: { allow },
  });
  return replyRefusal(exchange, refusal);
}

function replyRefusal(exchange: Exchange, refusal: Refusal): Response {
  for (const [name, value] of Object.entries(refusal.headers)) exchange.header(name, value);
  return replyJson(exchange, toErrorBody(refusal), refusal.status);
}

function toRefusal(error: Error): Refusal {
  if (error instanceof Refusal) return error;
  // A body with many thousand levels exhausts the stack. The client caused that, so the status is 400.
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return invalidRequest('the body is nested too deeply');
  }
  return new Refusal({
    status: 500,
    code: 'internal_error',
    message: `The sandbox failed: ${error.message}`,
  });
}
