import { asRecord } from '../lib/json.ts';
import { firstOf, type Members } from './task-record.ts';

export interface FoundAddress {
  readonly url: string;
  /** The record that holds it. */
  readonly holder: Members;
}

/** Where replies conventionally nest what was made. What was asked for (`input`, `image`) is not among them. */
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
  /** Members that hold an address. Of several in one record the first counts: they are spellings of the same file. */
  readonly names: readonly string[];
  /** Members in which the family nests its files, beside those that everybody uses. */
  readonly within: readonly string[];
}

/** The web addresses of what was made, in a reply whose shape the gateway's document does not show; each once. */
export function findAddresses(reply: unknown, { names, within }: AddressPlaces): readonly FoundAddress[] {
  const found = new Map<string, FoundAddress>();
  const visit = (value: unknown, depth: number): void => {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    const holder = asRecord(value);
    if (!holder) return;
    for (const url of firstOf(holder, names, asAddresses) ?? []) {
      if (!found.has(url)) found.set(url, { url, holder });
    }
    for (const name of [...containers, ...within]) visit(holder[name], depth + 1);
  };
  visit(reply, 0);
  return [...found.values()];
}

/** One address, or a list of them. */
function asAddresses(value: unknown): readonly string[] | undefined {
  const addresses = (Array.isArray(value) ? value : [value]).filter(isAddress);
  return addresses.length > 0 ? addresses : undefined;
}

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}
