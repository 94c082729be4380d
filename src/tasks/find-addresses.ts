import { isWebAddress } from '../lib/addresses.ts';
import { asRecord } from '../lib/json.ts';
import { firstOf, type Members } from './task-record.ts';

export interface FoundAddress {
  readonly url: string;
  /** The object that contains the address. */
  readonly holder: Members;
}

/** Members in which replies conventionally nest results, without those that repeat the request (`input`, `image`). */
const containers = [
  'data',
  'Resp',
  'response',
  'output',
  'outputs',
  'result',
  'results',
  'task',
  'task_result',
  'files',
  'works',
  'creations',
  'content',
  'metadata',
];
const maxDepth = 8;

export interface AddressPlaces {
  /** Members that hold an address. The first one present counts: the others are alternative names of the same file. */
  readonly names: readonly string[];
  /** Members in which this family nests its files, in addition to the conventional ones. */
  readonly nestedIn: readonly string[];
}

/** The distinct addresses of result files in a reply whose shape is undocumented. */
export function findAddresses(reply: unknown, { names, nestedIn }: AddressPlaces): readonly FoundAddress[] {
  const found = new Map<string, FoundAddress>();
  const visit = (value: unknown, depth: number): void => {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    const holder = asRecord(value);
    if (!holder) return;
    for (const url of firstOf(holder, names, asAddresses) ?? []) {
      if (!found.has(url)) found.set(url, { url, holder });
    }
    for (const name of [...containers, ...nestedIn]) visit(holder[name], depth + 1);
  };
  visit(reply, 0);
  return [...found.values()];
}

/** One address, or a list of them. */
function asAddresses(value: unknown): readonly string[] | undefined {
  const addresses = (Array.isArray(value) ? value : [value]).filter(isWebAddress);
  return addresses.length > 0 ? addresses : undefined;
}
