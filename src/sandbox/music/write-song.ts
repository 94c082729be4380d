import { createDice, type Dice } from '../random.ts';
import { words } from './words.data.ts';

export interface SongText {
  readonly title: string;
  readonly tags: string;
  /** Empty for an instrumental song. */
  readonly lyrics: string;
}

/** Only this many characters of a description are searched, as of a message of a chat. */
const maxReadLength = 20_000;

/** Title, style and lyrics of a song with a description only. */
export function writeSong(
  description: string,
  { seed, isInstrumental }: { readonly seed: string; readonly isInstrumental: boolean },
): SongText {
  const dice = createDice(`words ${seed} ${description}`);
  const read = description.slice(0, maxReadLength);
  const subjects = listSubjects(read);
  return {
    title: writeTitle(subjects, dice),
    tags: chooseTags(read, dice, isInstrumental),
    lyrics: isInstrumental ? '' : writeLyrics(subjects, dice),
  };
}

function chooseTags(description: string, dice: Dice, isInstrumental: boolean): string {
  const text = description.toLowerCase();
  const choose = (list: readonly [string, ...string[]], most: number): readonly string[] => {
    const named = list.filter((word) => text.includes(word)).slice(0, most);
    return named.length > 0 ? named : [dice.pick(list)];
  };
  const chosen = [...choose(words.genres, 2), ...choose(words.moods, 1), ...choose(words.sounds, 1)];
  return [...chosen, ...(isInstrumental ? ['instrumental'] : [])].join(', ');
}

/** The significant words of a description, at most four. */
function listSubjects(description: string): readonly string[] {
  const found = description
    .replaceAll(/\bfault:[a-z0-9-]+/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu);
  const ignored = new Set([
    ...words.fillers.split(' '),
    ...words.genres.flatMap((genre) => genre.split(' ')),
  ]);
  const subjects = (found ?? []).filter((word) => word.length > 1 && word.length <= 24 && !ignored.has(word));
  return [...new Set(subjects)].slice(0, 4);
}

function writeTitle(subjects: readonly string[], dice: Dice): string {
  const chosen = subjects.length > 0 ? subjects.slice(0, 2) : [dice.pick(words.subjects)];
  const name = chosen.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return dice.pick(words.titles).replaceAll('*', () => name);
}

function writeLyrics(subjects: readonly string[], dice: Dice): string {
  const fill = (text: string): string =>
    text.replaceAll('*', () => subjects[dice.between(0, subjects.length - 1)] ?? 'light');
  const verse = (): string => fill(dice.shuffle(words.verses).slice(0, 4).join('\n'));
  const hook = fill('*');
  const chorus = words.chorus.replaceAll('*', () => hook);
  return `[Verse 1]\n${verse()}\n\n[Chorus]\n${chorus}\n\n[Verse 2]\n${verse()}\n\n[Chorus]\n${chorus}`;
}
