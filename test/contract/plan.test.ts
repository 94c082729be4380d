import { describe, expect, test } from 'vitest';
import { createPlan } from '../../src/contract/plan.ts';
import { printPlan } from '../../src/contract/report.ts';
import { rules } from '../../src/contract/rules.ts';
import { readPage, tableRows } from '../support/markdown.ts';

const target = {
  url: 'http://127.0.0.1:1/graphql',
  socketUrl: 'ws://127.0.0.1:1/graphql',
  headers: {},
  isBehindRouter: false,
  model: 'm',
  maxTokens: 400,
};

describe('the plan of gengraph contract', () => {
  test('has at least 350 cases, 60 of them of faults, each of a rule and with a name of its own', () => {
    const { cases } = createPlan();
    expect(cases.length).toBeGreaterThanOrEqual(350);
    expect(cases.filter(({ isFault }) => isFault).length).toBeGreaterThanOrEqual(60);
    const names = cases.map(({ rule, name }) => `${rule}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
    const tested = new Set(cases.map(({ rule }) => rule));
    // A rule that this program cannot test says what does.
    for (const { number, elsewhere } of rules) expect(tested.has(number)).toBe(elsewhere === undefined);
    for (const rule of tested) expect(rules.map(({ number }) => number)).toContain(rule);
  });

  test('is what docs/contract.md states', () => {
    const rows = tableRows(readPage('docs/contract.md')).filter(([number = '']) => /^`[\d.]+`$/.test(number));
    expect(rows).toEqual(
      rules.map(({ number, statement, elsewhere }) => [
        `\`${number}\``,
        statement,
        /`npm run .+`/.exec(elsewhere ?? '')?.[0] ?? 'this program',
      ]),
    );
  });

  test('creates chats only for what is asked for', () => {
    expect(createPlan({ only: ['4.4'] }).chats).toBe(2);
    expect(createPlan({ only: ['7.4'] })).toMatchObject({ chats: 1, cases: { length: 2 } });
    expect(createPlan({ isQuick: true }).cases).toHaveLength(
      rules.filter(({ elsewhere }) => elsewhere === undefined).length,
    );
    expect(() => createPlan({ only: ['4.9'] })).toThrow('there is no rule 4.9');
    expect(() => createPlan({ only: ['2.7'] })).toThrow('rule 2.7 needs a gateway that the test controls');
  });

  test('says before what it may cost', () => {
    const plan = createPlan({ only: ['4.4'] });
    expect(printPlan(plan, target, { input: 2.5, output: 10 })).toContain(
      'It creates 2 chats with the model m: about 80 tokens of prompts, and at most 800 tokens of replies (400 each).\nThat costs at most 0.0082 ',
    );
  });
});
