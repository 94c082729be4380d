import { parseArgs } from 'node:util';
import { createPlan, type Plan } from './plan.ts';
import { type Price, printPlan, printReport } from './report.ts';
import { runPlan, Unreachable } from './run-plan.ts';
import { createWorld, type Target } from './world.ts';

const help = `Tests the stream contract of a running installation, directly or behind a router. docs/contract.md has its rules.

Usage
  gengraph contract --url <url> [options]

Options
  --url <url>            Of GraphQL over HTTP, such as https://api.example.com/graphql
  --socket-url <url>     Of GraphQL over WebSocket, if it is not the same with ws
  --key <key>            API key or token. Without it, the key of the sandbox, which costs nothing
  --header <name: value> A header of every request, also in connectionParams; repeatable
  --other-key <key>      Key or token of another caller. Without it, the same key with another X-End-User
  --router               A router hides the operation ids of its clients
  --model <model>        Default gpt-4o
  --max-tokens <n>       Longest reply in tokens, by maxTokens. Default 400
  --price <in>/<out>     Prices of a million tokens of prompts and of replies, for the estimate
  --rules <numbers>      Only these rules, such as 1,5.2
  --quick                Only the first case of each rule
  --yes                  Runs with a key or a header. Without it, such a run says what it would do, and ends

The exit code is 0 if all rules hold, 1 if a rule fails, and 2 if nothing could be tested.
`;

/** \`gengraph contract\`. */
export async function main(): Promise<void> {
  try {
    const given = readArguments(process.argv.slice(3));
    if (!given) {
      process.stdout.write(help);
      return;
    }
    const { target, plan, price, mayRun, isPartial } = given;
    process.stdout.write(printPlan(plan, target, price));
    if (!mayRun) {
      process.stdout.write('Nothing was sent. Add --yes to run it.\n');
      return;
    }
    const world = createWorld(target);
    const outcomes = await runPlan(plan, world, ({ stage, cases }) =>
      process.stderr.write(`${stage.name}: ${cases.length} cases\n`),
    );
    process.stdout.write(`\n${printReport(outcomes, { created: world.created.size, only: isPartial })}`);
    process.exitCode = outcomes.some(({ result }) => result === 'failed') ? 1 : 0;
  } catch (error) {
    const isExpected =
      error instanceof RangeError || error instanceof TypeError || error instanceof Unreachable;
    const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
    process.stderr.write(`Nothing could be tested: ${text}\n`);
    process.exitCode = 2;
  }
}

interface Given {
  readonly target: Target;
  readonly plan: Plan;
  readonly price: Price | undefined;
  readonly mayRun: boolean;
  readonly isPartial: boolean;
}

/** Undefined if help is asked for. @throws RangeError TypeError for an argument that is not valid */
function readArguments(args: readonly string[]): Given | undefined {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: text,
      'socket-url': text,
      key: text,
      header: { ...text, multiple: true, default: [] },
      'other-key': text,
      router: flag,
      model: { ...text, default: 'gpt-4o' },
      'max-tokens': { ...text, default: '400' },
      price: text,
      rules: text,
      quick: flag,
      yes: flag,
      help: { ...flag, short: 'h' },
    },
  });
  if (values.help || args.length === 0) return undefined;
  if (values.url === undefined) throw new RangeError('--url is missing');
  const url = readUrl(values.url, /^https?:$/, '--url');
  const socketUrl = readUrl(values['socket-url'] ?? url.replace(/^http/, 'ws'), /^wss?:$/, '--socket-url');
  const more = Object.fromEntries(values.header.map(readHeader));
  const headers = {
    ...(more['authorization'] === undefined && { authorization: `Bearer ${values.key ?? 'sk-sandbox'}` }),
    ...more,
  };
  const other = values['other-key'];
  const maxTokens = Number(values['max-tokens']);
  if (!Number.isInteger(maxTokens) || maxTokens < 1)
    throw new RangeError('--max-tokens must be a whole number from 1');
  const only = values.rules?.split(',').map((number) => number.trim());
  return {
    target: {
      url,
      socketUrl,
      headers,
      otherHeaders: other === undefined ? undefined : { ...headers, authorization: `Bearer ${other}` },
      isBehindRouter: values.router,
      model: values.model,
      maxTokens,
    },
    plan: createPlan({ only, isQuick: values.quick }),
    price: values.price === undefined ? undefined : readPrice(values.price),
    // Routers take credentials from other headers too, such as cookies.
    mayRun: values.yes || (values.header.length === 0 && headers.authorization === 'Bearer sk-sandbox'),
    isPartial: only !== undefined || values.quick,
  };
}

function readUrl(text: string, protocol: RegExp, name: string): string {
  const url = URL.parse(text);
  if (!url || !protocol.test(url.protocol)) throw new RangeError(`${name} is no address of the right kind`);
  return url.href;
}

function readHeader(text: string): readonly [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new RangeError('--header must be "name: value"');
  return [name.toLowerCase(), value];
}

function readPrice(text: string): Price {
  const [input, output] = text.split('/').map(Number);
  if (!isPrice(input) || !isPrice(output))
    throw new RangeError('--price must be two numbers, such as 2.5/10');
  return { input, output };
}

function isPrice(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}
