import type { InputIssue } from '../../errors.ts';
import { abbreviate } from '../../lib/text.ts';

type PauseIssue = Omit<InputIssue, 'path'>;

/** A pause marker, or a malformed one: `<#` and what follows it, or `<1.5#>`. */
const marker = /<\s*#(?:[^<>\n]{0,40}>|[\d.,-]*#?)|<\s*-?[\d.,]+\s*#\s*>/g;
const wellFormed = /^<#(\d{1,2}(?:\.\d{1,2})?)#>$/;
const voiced = /[\p{L}\p{N}]/u;

/** The problems of each pause marker in a text (the gateway's document, "Limits"). */
export function pauseIssues(text: string): readonly PauseIssue[] {
  const markers = [...text.matchAll(marker)];
  return markers.flatMap(({ 0: found, index }, position) => {
    const before = markers[position - 1];
    const isLast = position === markers.length - 1;
    const left = text.slice(before ? before.index + before[0].length : 0, index);
    const isRightSilent = isLast && !voiced.test(text.slice(index + found.length));
    const messages = [
      ...(isPause(found) ? [] : [`A pause must be ${form}.`]),
      ...(voiced.test(left) ? [] : [before ? notTwo : notAtStart]),
      ...(isRightSilent ? [notAtEnd] : []),
    ];
    const received = abbreviate(found, 100);
    return messages.map((message) => ({ message, limit: limitOf(message), received }));
  });
}

const form = '<#x#> with x from 0.01 to 99.99, at most two decimals';
const notTwo = 'Two pauses must not follow one another: put voiced text between them.';
const notAtStart = 'A pause must not stand at the start: put voiced text before it.';
const notAtEnd = 'A pause must not stand at the end: put voiced text after it.';

function limitOf(message: string): string {
  return message.includes(form) ? form : 'between two voiced texts';
}

/** At most two digits before and after the decimal point, so only 0 is out of range. */
function isPause(found: string): boolean {
  const [, seconds] = wellFormed.exec(found) ?? [];
  return seconds !== undefined && Number(seconds) > 0;
}
