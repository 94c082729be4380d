import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseServer } from '../support/database-server.ts';
import type { ChaosServer, Fleet, Trouble } from './fleet.ts';
import type { ChaosGateway, GatewayMood } from './gateway.ts';

export interface FaultWorld {
  readonly fleet: Fleet;
  readonly database: DatabaseServer;
  readonly gateway: ChaosGateway;
  readonly random: () => number;
  readonly note: (line: string) => void;
}

/** Breaks something, and mends it. */
type Fault = (world: FaultWorld) => Promise<void>;

type Faults = readonly (readonly [weight: number, name: string, fault: Fault])[];

/** Of the servers and their database. One at a time. */
const serverFaults: Faults = [
  [3, 'kill', kill],
  [3, 'terminate', terminate],
  [2, 'pause', pause],
  [3, 'cut off', (world) => cutOff(world, 'refused')],
  [2, 'freeze', (world) => cutOff(world, 'frozen')],
  [1, 'database stop', stopDatabase],
  [1, 'database crash', crashDatabase],
  [2, 'lost lock', loseLock],
  [1, 'clock', stepClock],
];

/** Of all that is around them. One at a time, beside the others. */
const otherFaults: Faults = [
  [3, 'gateway', disturbGateway],
  [6, 'clients', cutClients],
];

/** One fault of each list after another until the signal aborts. Resolves when everything is mended. */
export async function runFaults(world: FaultWorld, signal: AbortSignal): Promise<void> {
  await Promise.all([serverFaults, otherFaults].map((faults) => runInTurn(faults, world, signal)));
}

async function runInTurn(faults: Faults, world: FaultWorld, signal: AbortSignal): Promise<void> {
  const total = faults.reduce((sum, [weight]) => sum + weight, 0);
  while (!signal.aborted) {
    let left = world.random() * total;
    const [, name, fault] = faults.find(([weight]) => (left -= weight) < 0) ?? faults[0] ?? [];
    world.note(`fault: ${name}`);
    await fault?.(world);
    await wait(500 + 4000 * world.random());
  }
}

function pickServer({ fleet, random }: FaultWorld): ChaosServer | undefined {
  const running = fleet.servers.filter(({ process }) => process);
  return running[Math.floor(random() * running.length)];
}

function begin(server: ChaosServer, kind: Trouble['kind']): Trouble {
  const trouble: Trouble = { kind, from: performance.now(), to: Number.POSITIVE_INFINITY };
  server.troubles.push(trouble);
  return trouble;
}

function end(trouble: Trouble): void {
  trouble.to = performance.now();
}

async function kill(world: FaultWorld): Promise<void> {
  await stopServer(world, 'SIGKILL');
}

async function terminate(world: FaultWorld): Promise<void> {
  await stopServer(world, 'SIGTERM');
}

async function stopServer(world: FaultWorld, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const server = pickServer(world);
  const { process } = server ?? {};
  if (!server || !process) return;
  world.note(`server ${server.index} ${signal}`);
  const trouble = begin(server, signal === 'SIGKILL' ? 'killed' : 'terminated');
  process.kill(signal);
  await process.exited;
  server.process = undefined;
  end(trouble);
  await wait(3000 * world.random());
  await world.fleet.start(server);
  world.note(`server ${server.index} is back`);
}

async function pause(world: FaultWorld): Promise<void> {
  const server = pickServer(world);
  const { process } = server ?? {};
  if (!server || !process) return;
  const trouble = begin(server, 'paused');
  const ms = 1000 + 14_000 * world.random() ** 2;
  world.note(`server ${server.index} paused for ${Math.round(ms)} ms`);
  process.kill('SIGSTOP');
  await wait(ms);
  process.kill('SIGCONT');
  end(trouble);
}

/** Its lock is lost while it is paused. The others settle its work, and it corrects the ends when it continues. */
async function loseLock(world: FaultWorld): Promise<void> {
  const server = pickServer(world);
  const { process } = server ?? {};
  if (!server || !process) return;
  const troubles = [begin(server, 'paused'), begin(server, 'cut off')];
  const ms = 9000 + 14_000 * world.random();
  world.note(`server ${server.index} paused without its lock for ${Math.round(ms)} ms`);
  process.kill('SIGSTOP');
  server.link.set('refused');
  await wait(ms);
  server.link.set('open');
  process.kill('SIGCONT');
  for (const trouble of troubles) end(trouble);
}

/** Sets the clock of a server, at most ten minutes from the true time, until its end or the next step. */
async function stepClock(world: FaultWorld): Promise<void> {
  const server = pickServer(world);
  const { process } = server ?? {};
  if (!server || !process) return;
  const ms = Math.round(600_000 * (2 * world.random() - 1));
  world.note(`server ${server.index} has its clock ${ms} ms from the true time`);
  await Promise.race([process.setClockOffset(ms), process.exited]);
}

async function cutOff(world: FaultWorld, state: 'refused' | 'frozen'): Promise<void> {
  const server = pickServer(world);
  if (!server) return;
  const trouble = begin(server, 'cut off');
  const ms = 500 + 25_000 * world.random() ** 2;
  world.note(`server ${server.index} ${state} for ${Math.round(ms)} ms`);
  server.link.set(state);
  await wait(ms);
  server.link.set('open');
  end(trouble);
}

async function stopDatabase(world: FaultWorld): Promise<void> {
  await withoutDatabase(world, () => world.database.stop());
}

async function crashDatabase(world: FaultWorld): Promise<void> {
  await withoutDatabase(world, () => world.database.crash());
}

async function withoutDatabase(world: FaultWorld, remove: () => Promise<void>): Promise<void> {
  const troubles = world.fleet.servers.map((server) => begin(server, 'cut off'));
  await remove();
  const ms = 300 + 14_000 * world.random() ** 2;
  world.note(`no database for ${Math.round(ms)} ms`);
  await wait(ms);
  await world.database.restart();
  for (const trouble of troubles) end(trouble);
}

async function disturbGateway(world: FaultWorld): Promise<void> {
  const moods: readonly GatewayMood[] = ['down', 'errors', 'limited', 'lost', 'slow'];
  world.gateway.mood = moods[Math.floor(world.random() * moods.length)] ?? 'errors';
  world.note(`gateway ${world.gateway.mood}`);
  await wait(500 + 3000 * world.random());
  world.gateway.mood = 'well';
}

async function cutClients(world: FaultWorld): Promise<void> {
  world.fleet.cutClients();
}
