import { expect, onTestFinished } from 'vitest';
import type { Endpoint, FaultName, Outage } from '../set-up.ts';
import { endingOf } from '../../../src/contract/clients/events.ts';
import { words } from './gateway-double.ts';
import { type RunningStream, startStream, type World } from './world.ts';

/** These cases start up to three processes, some of them twice. */
export const timeoutMs = 240_000;

/** An endpoint that a case may break. Closed when the test ends. */
export async function openOwn(world: World, settings = {}): Promise<Endpoint> {
  const endpoint = await world.ownEndpoint(settings);
  onTestFinished(() => endpoint.close());
  return endpoint;
}

/** The endpoint of all cases, for a fault that leaves nothing behind. It ends with the test, also with one that fails. */
export async function openShared(world: World, fault: 'pause' | 'disk full'): Promise<Endpoint> {
  const endpoint = await world.endpoint();
  onTestFinished(() => outageOf(endpoint, fault).end());
  return endpoint;
}

export function outageOf(endpoint: Endpoint, fault: Exclude<FaultName, 'clock step'>): Outage {
  const outage = endpoint.outages[fault];
  if (!outage) throw new Error(`the endpoint cannot cause "${fault}"`);
  return outage;
}

/** A chat whose text `saved` is in its record. */
export async function startSaved(world: World, endpoint: Endpoint): Promise<RunningStream> {
  const stream = await startStream(world, { endpoint });
  await stream.sendSeen(...words('saved'));
  return stream;
}

/** Waits as long as another endpoint takes to notice a silence of two seconds. */
export async function silence(world: World): Promise<void> {
  const stream = await startStream(world, { settings: { stallSeconds: 2 } });
  expect(endingOf(await stream.follow().ended)).toBe('STREAM_STALLED');
}
