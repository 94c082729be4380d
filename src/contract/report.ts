import type { Plan } from './plan.ts';
import { type Rule, rules } from './rules.ts';
import type { Outcome } from './run-plan.ts';
import type { Target } from './world.ts';

/** Failures of one rule that are listed. */
const maxListed = 5;
/** Of a prompt of the program, about. */
const promptTokens = 40;

export interface Price {
  /** Of a million tokens. */
  readonly input: number;
  readonly output: number;
}

/** What a run will do, before it does anything. */
export function printPlan({ cases, chats }: Plan, { url, model, maxTokens }: Target, price?: Price): string {
  const faults = cases.filter(({ isFault }) => isFault).length;
  const [input, output] = [chats * promptTokens, chats * maxTokens];
  const cost = price && (input * price.input + output * price.output) / 1_000_000;
  return [
    `Stream contract of ${url}`,
    `${cases.length} cases, ${faults} of them of faults: cuts of this program's own connections, by a proxy on this machine.`,
    `It creates ${chats} chats with the model ${model}: about ${input} tokens of prompts, and at most ${output} tokens of replies (${maxTokens} each).`,
    ...(cost === undefined ? [] : [`That costs at most ${cost.toFixed(4)} in the currency of --price.`]),
    '',
  ].join('\n');
}

export function printReport(outcomes: readonly Outcome[], { created, only }: ReportFacts): string {
  const isListed = ({ number, elsewhere }: Rule): boolean =>
    outcomes.some(({ rule }) => rule === number) || (elsewhere !== undefined && !only);
  const count = (result: Outcome['result']): number => outcomes.filter((one) => one.result === result).length;
  return [
    ...rules.filter(isListed).map((rule) => printRule(rule, outcomes)),
    '',
    `${outcomes.length} cases: ${count('held')} held, ${count('failed')} failed, ${count('not applicable')} not applicable. ${created} chats were created.`,
    '',
  ].join('\n');
}

export interface ReportFacts {
  /** Chats. */
  readonly created: number;
  /** Whether only some rules were asked for. */
  readonly only: boolean;
}

function printRule({ number, statement, elsewhere }: Rule, outcomes: readonly Outcome[]): string {
  const own = outcomes.filter(({ rule }) => rule === number);
  const failed = own.filter(({ result }) => result === 'failed');
  const held = own.filter(({ result }) => result === 'held');
  const others = own.filter(({ result }) => result === 'not applicable');
  const state = failed.length > 0 ? 'FAILED' : held.length > 0 ? 'held' : 'not applicable';
  const counts =
    own.length === 0 ? '' : failed.length > 0 ? `${failed.length} of ${own.length}` : `${held.length}`;
  const reasons = new Map<string, number>();
  for (const { reason = '' } of others) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [
    `${number.padEnd(5)}${state.padEnd(15)}${counts.padStart(9)}  ${statement}`,
    ...(elsewhere === undefined ? [] : [indent(elsewhere)]),
    ...failed.slice(0, maxListed).map(({ name, reason }) => indent(`${name}: ${reason}`)),
    ...(failed.length > maxListed ? [indent(`and ${failed.length - maxListed} more`)] : []),
    ...[...reasons].map(([reason, times]) => indent(`${times} not applicable: ${reason}`)),
  ].join('\n');
}

function indent(text: string): string {
  return `${' '.repeat(31)}${text}`;
}
