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

/** Waits as long as another endpoint takes to notice a silence of this length. */
export async function silenceOf(world: World, stallSeconds: number): Promise<void> {
  const stream = await startStream(world, { settings: { stallSeconds } });
  expect(endingOf(await stream.follow().ended)).toBe('STREAM_STALLED');
}
