import { getEventListeners } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOutgoing, type Outgoing, type OutgoingOptions } from '../../src/outgoing/outgoing.ts';
import { isPublicAddress, RefusedAddressError } from '../../src/outgoing/public-addresses.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { serve } from '../support/serve.ts';

describe('addresses', () => {
  test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    ['127.0.0.1', '127.1.2.3', '0.0.0.0', '::1', '::'],
    ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', 'fec0::1'],
    ['169.254.169.254', 'fe80::1'],
    ['::ffff:10.0.0.1', '::10.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::a00:1', '2002:a00:1::', '2001:0:4136::1'],
    [
      '224.0.0.1',
      '255.255.255.255',
      '240.0.0.1',
      'ff02::1',
      '192.0.2.1',
      '198.18.0.1',
      '2001:db8::1',
      '100::1',
    ],
    ['', 'localhost', '1', '10.0.0.1.example'],
  ])('%s and the like are not public', (...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

describe('private addresses', () => {
  test.each([
    'http://127.0.0.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://2130706433',
    'http://localhost',
  ])('%s is not connected to', async (base) => {
    const { port, received } = await startServer((_, response) => response.end('secret'));
    const outgoing = openOutgoing();
    await expect(get(outgoing, `${base}:${port}/`)).rejects.toThrow(RefusedAddressError);
    expect(received).toEqual([]);
  });

  test('a listed origin is called, another port of the same host is not', async () => {
    const listed = await startServer((_, response) => response.end('listed'));
    const other = await startServer((_, response) => response.end('other'));
    const outgoing = openOutgoing({ isListed: (url) => url.port === String(listed.port) });
    expect(await get(outgoing, listed.url)).toBe('200 listed');
    await expect(get(outgoing, other.url)).rejects.toThrow('127.0.0.1 is not a public address');
    expect(other.received).toEqual([]);
  });

  test('a listed IPv6 address is called', async () => {
    // Without IPv6, the error of the connection shows that it was attempted.
    const outgoing = openOutgoing({ isListed: ({ hostname }) => hostname === '[::1]' });
    await expect(get(outgoing, 'http://[::1]:9/')).rejects.not.toBeInstanceOf(RefusedAddressError);
    await expect(get(outgoing, 'http://[::2]:9/')).rejects.toThrow('::2 is not a public address');
  });

  test('a name with one private address among public ones is refused', async () => {
    const outgoing = openOutgoing({ lookup: resolveTo('93.184.216.34', '10.0.0.1') });
    await expect(get(outgoing, 'http://files.example/')).rejects.toThrow(
      'files.example is not a public address',
    );
  });

  test('a name is looked up once, and that address is connected to', async () => {
    const lookups: string[] = [];
    const { port } = await startServer((_, response) => response.end('there'));
    const lookup: LookupFunction = (hostname, options, callback) => {
      lookups.push(hostname);
      resolveTo('127.0.0.1')(hostname, options, callback);
    };
    const outgoing = openOutgoing({ lookup, isListed: (url) => url.hostname === 'files.example' });
    expect(await get(outgoing, `http://files.example:${port}/`)).toBe('200 there');
    expect(lookups).toEqual(['files.example']);
  });
});

describe('schemes', () => {
  test.each([
    'ftp://files.example/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'nonsense',
    '//files.example',
  ])('%s is refused', async (address) => {
    await expect(get(openOutgoing(), address)).rejects.toThrow(RefusedAddressError);
  });

  test('an address with a password is refused', async () => {
    await expect(
      get(openOutgoing({ isListed: () => true }), 'https://user:secret@files.example/'),
    ).rejects.toThrow('must not have a user name or password');
  });

  test('an address without TLS is refused unless it is listed or the request allows it', async () => {
    await expect(
      openOutgoing().send('http://93.184.216.34/', { method: 'POST', timeoutMs: 100 }),
    ).rejects.toThrow('must begin with https://');
  });
});

describe('redirects', () => {
  test('a redirect is a reply unless the request follows it', async () => {
    const { url, received } = await startServer((_, response) =>
      response.writeHead(302, { location: '/next' }).end(),
    );
    const outgoing = openOutgoing({ isListed: () => true });
    expect(await get(outgoing, url)).toBe('302 ');
    expect(received).toEqual(['/']);
  });

  test('as many redirects as allowed are followed', async () => {
    const { url, received } = await startServer(({ url: path }, response) =>
      path === '/3'
        ? response.end('end')
        : response.writeHead(302, { location: `/${Number(path?.slice(1)) + 1}` }).end(),
    );
    const outgoing = openOutgoing({ isListed: () => true });
    expect(await get(outgoing, url, 3)).toBe('200 end');
    await expect(get(outgoing, url, 2)).rejects.toThrow('More than 2 redirects');
    expect(received).toEqual(['/', '/1', '/2', '/3', '/', '/1', '/2']);
  });

  test('a redirect to a private address is refused', async () => {
    const hidden = await startServer((_, response) => response.end('secret'));
    const { url, port } = await startServer((_, response) =>
      response.writeHead(307, { location: hidden.url }).end(),
    );
    const outgoing = openOutgoing({ isListed: (target) => target.port === String(port) });
    await expect(get(outgoing, url, 3)).rejects.toThrow(RefusedAddressError);
    expect(hidden.received).toEqual([]);
  });
});

test('the time limit includes the body, by a clock that does not count pauses of the process', async () => {
  const { url } = await startServer((_, response) => response.write('beginning'));
  const clock = createManualClock();
  const outgoing = openOutgoing({ isListed: () => true, clock });
  const reply = await outgoing.send(url, { method: 'GET', timeoutMs: 600_000 });
  clock.advance(600_000);
  await expect(text(reply.body)).rejects.toThrow('timeout');
});

test('the time limit includes the wait for a connection', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url, received } = await startServer(() => arrived.resolve());
  const clock = createManualClock();
  const outgoing = openOutgoing({ isListed: () => true, connectionsPerOrigin: 1, clock });
  const first = outgoing.post(url, { timeoutMs: 600_000 });
  await arrived.promise;
  const second = outgoing.post(url, { timeoutMs: 10_000 });
  clock.advance(10_000);
  await expect(second).rejects.toThrow('timeout');
  clock.advance(590_000);
  await expect(first).rejects.toThrow('timeout');
  expect(received).toHaveLength(1);
});

test('requests to one origin do not share a connection, as over HTTP/2', async () => {
  const hello = Promise.withResolvers<string>();
  const server = createTcpServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', (data: Buffer) => {
        hello.resolve(data.toString('latin1'));
        socket.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const outgoing = openOutgoing({ isListed: () => true });
  await outgoing.post(`https://127.0.0.1:${port}`, { timeoutMs: 10_000 }).catch(() => {});
  // The protocols that the client offers (RFC 7301).
  expect(await hello.promise).toContain('\u0000\u0009\u0008http/1.1');
});

test('an exchange holds nothing after its end, read, posted or refused, also while its time limit lasts', async () => {
  const { url, received } = await startServer((_, response) => response.end('ok'));
  const outgoing = openOutgoing({ isListed: (listed) => listed.href.startsWith(url) });
  const { signal } = new AbortController();
  const limits = { timeoutMs: 600_000, signal };
  const run = async (count: number): Promise<void> => {
    const ends = new Set<unknown>();
    for (let sent = 0; sent < count; sent += 1) {
      const { body } = await outgoing.send(url, { method: 'GET', ...limits });
      ends.add(await text(body));
      ends.add((await outgoing.post(url, limits)).status);
      const refused = outgoing.send('https://127.0.0.1/', { method: 'GET', ...limits });
      ends.add(await refused.catch((error: unknown) => String(error)));
    }
    expect([...ends]).toEqual(['ok', 200, expect.stringContaining('not a public address')]);
    received.length = 0;
  };
  await run(200);
  const held = await heldBytes();
  await run(1200);
  // A time limit that is not ended holds about a kilobyte.
  expect((await heldBytes()) - held).toBeLessThan(1_000_000);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

function openOutgoing(options: Partial<OutgoingOptions> = {}): Outgoing {
  const outgoing = createOutgoing({ isListed: () => false, ...options });
  onTestFinished(() => outgoing.close());
  return outgoing;
}

/** The status and the body of a reply. */
async function get(outgoing: Outgoing, address: string, maxRedirects = 0): Promise<string> {
  const { status, body } = await outgoing.send(address, {
    method: 'GET',
    timeoutMs: 10_000,
    allowsPlainHttp: true,
    maxRedirects,
  });
  return `${status} ${await text(body)}`;
}

function resolveTo(...addresses: readonly string[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first = ''] = addresses;
    if (all === true)
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    else callback(null, first, 4);
  };
}

async function startServer(
  listener: RequestListener,
): Promise<{ url: string; port: number; received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    listener(request, response);
  });
  const { url, port } = await serve(server);
  return { url: `${url}/`, port, received };
}
