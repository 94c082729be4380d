import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Summarizes a CPU profile: `node test/bench/profile.ts <file.cpuprofile>`. `--callers writev` shows the callers of a
 * function.
 */

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    callers: { type: 'string' },
    top: { type: 'string', default: '30' },
    // Skips the start-up.
    'skip-ms': { type: 'string', default: '4000' },
  },
});
const [file] = positionals;
if (file === undefined) throw new Error('usage: node test/bench/profile.ts <file.cpuprofile>');
const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile;
const selfMicros = toSelfMicros(profile, Number(values['skip-ms']) * 1000);
const busyMicros = [...selfMicros.values()].reduce((sum, micros) => sum + micros, 0);

if (values.callers === undefined) {
  report(
    "time by package, Node's own and native functions counted for who called them",
    sumStacks((stack) => stack.map(packageOf).findLast((name) => name !== 'node') ?? 'node alone'),
  );
  report(
    'self time by function',
    sumStacks((stack) => nameOf(stack.at(-1))),
  );
  report(
    'total time by function, including synchronous calls',
    sumStacks((stack) => [...new Set(stack.filter((node) => packageOf(node) !== 'node').map(nameOf))]),
  );
} else {
  const wanted = values.callers;
  report(
    `callers of ${wanted}`,
    sumStacks((stack) =>
      stack.at(-1)?.callFrame.functionName === wanted
        ? stack.slice(-9, -1).toReversed().map(nameOf).join(' < ')
        : [],
    ),
  );
}

/** Time per node, without start-up and idle time. */
function toSelfMicros(
  { nodes, samples, timeDeltas }: Profile,
  skipMicros: number,
): ReadonlyMap<number, number> {
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
  const self = new Map<number, number>();
  let elapsed = 0;
  for (const [index, id] of samples.entries()) {
    elapsed += timeDeltas[index] ?? 0;
    // A delta is the time before its sample, so the time of a sample is the next delta.
    if (elapsed >= skipMicros && id !== idle)
      self.set(id, (self.get(id) ?? 0) + (timeDeltas[index + 1] ?? 0));
  }
  return self;
}

/** Sums the time of the stacks per name. */
function sumStacks(
  namesOf: (stack: readonly ProfileNode[]) => string | readonly string[],
): ReadonlyMap<string, number> {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const sums = new Map<string, number>();
  const visit = (node: ProfileNode, above: readonly ProfileNode[]): void => {
    const stack = [...above, node];
    const micros = selfMicros.get(node.id) ?? 0;
    if (micros > 0) {
      for (const name of [namesOf(stack)].flat()) sums.set(name, (sums.get(name) ?? 0) + micros);
    }
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, stack);
    }
  };
  const [root] = profile.nodes;
  if (root) visit(root, []);
  return sums;
}

function packageOf({ callFrame: { url, functionName } }: ProfileNode): string {
  if (functionName === '(garbage collector)') return functionName;
  if (url === '' || url.startsWith('node:')) return 'node';
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  return name ?? (url.includes('/src/') ? 'src' : 'test');
}

function nameOf(node: ProfileNode | undefined): string {
  const { functionName = '', url = '', lineNumber = 0 } = node?.callFrame ?? {};
  if (url === '') return functionName;
  const place = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(?=(src|test)\/)/, '');
  return `${functionName || '(anonymous)'} ${place}:${lineNumber + 1}`;
}

function report(title: string, sums: ReadonlyMap<string, number>): void {
  console.log(`\n${title} (of ${(busyMicros / 1e6).toFixed(1)} s busy)`);
  const largest = [...sums].toSorted(([, left], [, right]) => right - left).slice(0, Number(values.top));
  for (const [name, micros] of largest) {
    console.log(`${((micros / busyMicros) * 100).toFixed(1).padStart(6)} %  ${name}`);
  }
}
