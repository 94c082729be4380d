import type { Dice } from '../../random.ts';
import { bodies, closers, emojis, examples, openers, points, steps } from './phrases.ts';
import { createDeck, fill, type Slots } from './sentences.ts';

/** A paragraph or two: 40 to 120 tokens. */
export function writeParagraphs(slots: Slots, dice: Dice, options: { isBrief: boolean }): string {
  const body = createDeck(bodies, slots, dice);
  const first = `${fill(dice.pick(openers), slots)} ${body()}`;
  if (options.isBrief) return first;
  const middle = dice.chance(0.4) ? fill(dice.pick(examples), slots) : body();
  const closer = fill(dice.pick(closers), slots);
  const emoji = dice.chance(0.35) ? ` ${dice.pick(emojis)}` : '';
  return dice.chance(0.5)
    ? `${first} ${middle}\n\n${closer}${emoji}`
    : `${first}\n\n${middle} ${closer}${emoji}`;
}

/** A Markdown list of so many points. */
export function writeList(slots: Slots, dice: Dice, count: number): string {
  const point = createDeck(points, slots, dice);
  const items = Array.from({ length: Math.min(Math.max(count, 1), 50) }, () => `- ${point()}`);
  return [
    `Here is what I would note about ${slots['t'] ?? 'this'}:`,
    '',
    ...items,
    '',
    fill(dice.pick(closers), slots),
  ].join('\n');
}

/** Numbered steps. */
export function writeSteps(slots: Slots, dice: Dice): string {
  const items = steps.map((step, index) => `${index + 1}. ${fill(step, slots)}`);
  return [
    fill(dice.pick(openers), slots),
    '',
    ...items,
    '',
    `${fill(dice.pick(closers), slots)} ${dice.pick(emojis)}`,
  ].join('\n');
}

/** A small program in a Markdown fence, named after the topic. */
export function writeCode(slots: Slots, dice: Dice, prompt: string): string {
  const topic = slots['t'] ?? 'this';
  const words = topic.toLowerCase().match(/[a-z0-9]+/g) ?? ['items'];
  const closer = fill(dice.pick(closers), slots);
  if (/\bpython\b/i.test(prompt)) {
    const name = words.filter((word) => word !== 'python').join('_') || 'items';
    const code = [
      `def process_${name}(values):`,
      `    """Return the values of ${name} in order, without repetitions."""`,
      '    return sorted(set(values))',
    ];
    return `Here is a small Python function to begin with, for “${topic}”:\n\n\`\`\`python\n${code.join('\n')}\n\`\`\`\n\n${closer}`;
  }
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const code = [
    `export function process${name}(values) {`,
    '  return [...new Set(values)].sort((a, b) => a - b);',
    '}',
  ];
  return `Here is a small function to begin with, for “${topic}”:\n\n\`\`\`js\n${code.join('\n')}\n\`\`\`\n\n${closer}`;
}

/** A few short lines. */
export function writePoem(slots: Slots, dice: Dice, isHaiku: boolean): string {
  const { t = 'this', u = 'the details' } = slots;
  if (isHaiku) {
    return fill(
      dice.pick([
        `Morning light on ${t},\na pause between two breaths —\nthe day finds its voice.`,
        `Quiet as first snow,\nthe thought of ${t} returns:\na lamp left burning.`,
      ]),
      {},
    );
  }
  const verses = dice.shuffle([
    `I went to look for ${t} at the breaking of the day,\nand met a thousand questions that were walking the same way.`,
    `They say that ${t} will leave you as the tide will leave the shore,\nbut I have kept a window and I never locked the door.`,
    `The clocks forget their numbers when I turn my mind to ${u},\nand all the lamps along the road are lit, and every one is true.`,
    `So if you ask of ${t} again, I have no more to say:\nit is the song beneath the song, the work inside the play.`,
  ]);
  return verses.slice(0, 3).join('\n\n');
}
