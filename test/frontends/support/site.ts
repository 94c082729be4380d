import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { type Api, apiAt, startApp } from '../../support/app.ts';
import { createDirectory, startDurableServer } from '../../support/durable-server.ts';
import { type FreezingProxy, startFreezingProxy } from '../../support/freezing-proxy.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { bundlePage } from './bundle-page.ts';
import { frontends } from './frameworks.ts';
import { type SiteFile, startSiteServer } from './site-server.ts';

/** The network between a browser and its server. */
export type Network = Pick<TcpProxy, 'cut' | 'refuse' | 'accept' | 'connections'> &
  Pick<FreezingProxy, 'freeze' | 'thaw' | 'delay'>;

/** A page in a network of its own. */
export interface Visit {
  /** The page. The program has the same origin: the page reaches it at `/graphql`, also after a restart. */
  readonly url: string;
  readonly network: Network;
}

/** The program and its gateway, which can serve many pages. */
export interface Host {
  readonly sandbox: Sandbox;
  /** The program without the network. */
  readonly api: Api;
  /** How many chats the gateway was asked for. */
  readonly chatPosts: number;
  visit(page: string, files?: PageFiles): Promise<Visit>;
  /** Kills a program that runs as a process of its own. */
  crash(): Promise<void>;
  /** Ends it as an operator does. */
  shutDown(): Promise<void>;
  /** Starts it again, with the same records. */
  restart(): Promise<void>;
}

export interface Site extends Host, Visit {}

export interface HostOptions {
  /** Runs the built program as a process of its own, which `crash` can kill. @default false */
  readonly isProcess?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** @default 50 tokens a second, tasks of one second */
  readonly sandbox?: SandboxOptions;
}

/** By name, such as `gengraph.browser.js`. */
type PageFiles = Readonly<Record<string, SiteFile>>;

export interface SiteOptions extends HostOptions {
  /** Relative to `test/frontends`. An HTML file is served as it is, a program is bundled. */
  readonly page: string;
  /** More files beside the page. */
  readonly files?: PageFiles;
}

/** Starts a page, the program and the sandbox. Everything ends with the test. */
export async function startSite({ page, files, ...options }: SiteOptions): Promise<Site> {
  const host = await startHost(options);
  return Object.assign(host, await host.visit(page, files));
}

/** Starts the program and the sandbox. Everything ends with the test. */
export async function startHost({ isProcess, env, sandbox }: HostOptions): Promise<Host> {
  const served = new Map<string, SiteFile>();
  const server = await startSiteServer(served);
  const start = isProcess ? startProcess : startInProcess;
  const program = await start({ env, sandbox: { taskSeconds: 1, ...sandbox } });
  let current = await program.start();
  server.forwardTo(current.url);
  let visits = 0;
  return {
    sandbox: program.sandbox,
    get api() {
      return current.api;
    },
    get chatPosts() {
      return program.sandbox.activity.count('/v1/chat/completions');
    },
    async visit(page, files = {}) {
      const path = `/${(visits += 1)}/`;
      for (const [name, file] of Object.entries({ ...(await loadPage(page)), ...files }))
        served.set(path + name, file);
      const { url, network } = await startNetwork(server.url);
      return { url: new URL(path, url).href, network };
    },
    crash: () => current.crash(),
    shutDown: () => current.shutDown(),
    async restart() {
      current = await program.start();
      server.forwardTo(current.url);
    },
  };
}

async function startNetwork(target: string): Promise<Visit> {
  const slow = await startFreezingProxy(target);
  const proxy = await startTcpProxy(slow.url);
  const { url, cut, refuse, accept } = proxy;
  const { freeze, thaw, delay } = slow;
  return {
    url,
    network: {
      get connections() {
        return proxy.connections;
      },
      cut,
      refuse,
      accept,
      freeze,
      thaw,
      delay,
    },
  };
}

async function loadPage(page: string): Promise<PageFiles> {
  const isHtml = page.endsWith('.html');
  const html = isHtml
    ? readFileSync(join(frontends, page), 'utf8')
    : '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><main id="root"></main><script type="module" src="page.js"></script></html>';
  return {
    '': { type: 'text/html; charset=utf-8', body: html },
    ...(!isHtml && { 'page.js': { type: 'text/javascript; charset=utf-8', body: await bundlePage(page) } }),
  };
}

interface Running {
  readonly url: string;
  readonly api: Api;
  crash(): Promise<void>;
  shutDown(): Promise<void>;
}

interface ProgramStart {
  readonly sandbox: Sandbox;
  start(): Promise<Running>;
}

interface StartOptions {
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly sandbox: SandboxOptions;
}

async function startInProcess({ env, sandbox }: StartOptions): Promise<ProgramStart> {
  const app = await startApp({ sandbox, ...(env && { env }) });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const crash = (): never => {
    throw new Error('Only a program with `isProcess` can be ended.');
  };
  return {
    sandbox: app.sandbox,
    start: async () => ({ url: app.app.url, api: apiAt(app.url), crash, shutDown: crash }),
  };
}

async function startProcess({ env, sandbox: options }: StartOptions): Promise<ProgramStart> {
  const [sandbox, directory] = [await createSandbox(options), await createDirectory()];
  onTestFinished(() => sandbox.close());
  return {
    sandbox,
    async start() {
      const server = await startDurableServer({
        directory,
        gatewayUrl: sandbox.url,
        env: { SHUTDOWN_SECONDS: '1', ...env },
      });
      return {
        url: new URL(server.url).origin,
        api: server,
        crash: () => server.crash(),
        async shutDown() {
          server.program.kill('SIGTERM');
          await server.program.exited;
        },
      };
    },
  };
}
