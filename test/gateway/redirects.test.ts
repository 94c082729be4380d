import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';

/** Starts the program with a gateway that redirects every request to another server. */
async function startRedirecting(status: number) {
  const target = await startFakeGateway((_request, response) => void response.end('{}'));
  const gateway = await startFakeGateway((_request, response) => {
    response
      .writeHead(status, { location: `${target.url}/v2?key=secret-1`, 'content-type': 'application/json' })
      .end('{"detail":"moved"}');
  });
  const logged: Readonly<Record<string, unknown>>[] = [];
  const app = await startApp({ gatewayUrl: gateway.url, onLog: (line) => logged.push(line) });
  return { app, gateway, target, logged, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const createImage = `mutation {
  createImage(input: { byCount: { prompt: "a" } }, idempotencyKey: "k") {
    __typename ... on GengraphError { code retry message } ... on GatewayError { httpStatus }
  }
}`;

describe('a redirect of the gateway', () => {
  test.each([301, 302, 307, 308])('%i refuses a create, which may be sent again later', async (status) => {
    await using redirecting = await startRedirecting(status);
    const { app, gateway, target, logged } = redirecting;
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { data } = await app.run<object, object>(createImage);
      expect(data).toEqual({
        createImage: {
          __typename: 'GatewayError',
          code: 'GATEWAY_ERROR',
          retry: 'LATER',
          message: `The gateway answered ${status}, a redirect, which is not followed. Report this to the operator.`,
          httpStatus: status,
        },
      });
    }
    expect(gateway.requests).toHaveLength(2);
    expect(target.requests).toEqual([]);
    const warnings = logged.filter(({ msg, level }) => msg === 'gateway request' && level === 40);
    expect(warnings).toMatchObject([
      { status, redirectedTo: target.url },
      { status, redirectedTo: target.url },
    ]);
    expect(JSON.stringify(logged)).not.toContain('secret-1');
  });

  test('to the result (303) leaves the outcome of a create unknown', async () => {
    await using redirecting = await startRedirecting(303);
    const { app, gateway, target } = redirecting;
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect((await app.run<object, object>(createImage)).data).toMatchObject({
        createImage: { __typename: 'OutcomeUnknownError', retry: 'MAY_CHARGE_AGAIN' },
      });
    expect(gateway.requests).toHaveLength(1);
    expect(target.requests).toEqual([]);
  });

  test('fails a read once', async () => {
    await using redirecting = await startRedirecting(302);
    const { app, gateway } = redirecting;
    const { errors } = await app.run('{ voices { edges { node { voiceId } } } }');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'GATEWAY_ERROR', retry: 'LATER', status: 302 });
    expect(gateway.requests).toHaveLength(1);
  });
});
