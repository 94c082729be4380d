import { createDice, type Dice } from '../random.ts';

export interface SongText {
  readonly title: string;
  readonly tags: string;
  /** Empty for an instrumental song. */
  readonly lyrics: string;
}

/** Title, style and words for a song that was only described. */
export function writeSong(
  description: string,
  { seed, isInstrumental }: { readonly seed: string; readonly isInstrumental: boolean },
): SongText {
  const dice = createDice(`words ${seed} ${description}`);
  const subjects = listSubjects(description);
  return {
    title: writeTitle(subjects, dice),
    tags: chooseTags(description, dice, isInstrumental),
    lyrics: isInstrumental ? '' : writeLyrics(subjects, dice),
  };
}

const genres = [
  'pop',
  'rock',
  'jazz',
  'blues',
  'folk',
  'country',
  'electronic',
  'techno',
  'house',
  'ambient',
  'lo-fi',
  'hip hop',
  'reggae',
  'soul',
  'funk',
  'classical',
  'metal',
  'disco',
  'waltz',
] as const;

const moods = ['dreamy', 'upbeat', 'warm', 'melancholic', 'hopeful', 'mellow', 'driving', 'playful'] as const;
const sounds = ['piano', 'acoustic guitar', 'synth pads', 'strings', 'electric piano', 'bells'] as const;
const fillers = new Set(
  'a an and the of in on for with about to from by my your our is are it its song songs music tune make me write create some this that very one'.split(
    ' ',
  ),
);

function chooseTags(description: string, dice: Dice, isInstrumental: boolean): string {
  const text = description.toLowerCase();
  const named = genres.filter((genre) => text.includes(genre)).slice(0, 2);
  const genre = named.length > 0 ? named : [dice.pick(genres)];
  const mood = moods.find((word) => text.includes(word)) ?? dice.pick(moods);
  const sound = sounds.find((word) => text.includes(word)) ?? dice.pick(sounds);
  return [...genre, mood, sound, ...(isInstrumental ? ['instrumental'] : [])].join(', ');
}

/** The telling words of a description, at most four. */
function listSubjects(description: string): readonly string[] {
  const words = description
    .replaceAll(/\bfault:[a-z0-9-]+/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu);
  const telling = (words ?? []).filter((word) => {
    const isGenre = genres.some((genre) => genre.split(' ').includes(word));
    return word.length > 1 && word.length <= 24 && !fillers.has(word) && !isGenre;
  });
  return [...new Set(telling)].slice(0, 4);
}

function writeTitle(subjects: readonly string[], dice: Dice): string {
  const words =
    subjects.length > 0 ? subjects.slice(0, 2) : [dice.pick(['morning', 'river', 'window', 'silver'])];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return dice.pick([name, `${name} Tonight`, `Song for ${name}`, `${name}, Again`]);
}

function writeLyrics(subjects: readonly string[], dice: Dice): string {
  const subject = (): string => subjects[dice.between(0, subjects.length - 1)] ?? 'light';
  const verse = (): string =>
    dice
      .shuffle([
        `I saw the ${subject()} in the early light`,
        `You left the ${subject()} burning through the night`,
        `Every road is leading back to ${subject()}`,
        `And I keep a little ${subject()} in my hand`,
        `The window hums of ${subject()} and rain`,
        `We sang of ${subject()} and then sang it again`,
      ])
      .slice(0, 4)
      .join('\n');
  const hook = subject();
  const chorus = `Oh ${hook}, carry me along\nOh ${hook}, you were in my song\nHigher than the rooftops, slower than the snow\nOh ${hook}, never let me go`;
  return `[Verse 1]\n${verse()}\n\n[Chorus]\n${chorus}\n\n[Verse 2]\n${verse()}\n\n[Chorus]\n${chorus}`;
}
