import { createDice, type Dice } from '../random.ts';
import type { SongRecipe } from './recipes.ts';

export type Voice = 'lead' | 'singer' | 'pad' | 'bass' | 'kick' | 'snare' | 'hat';

export interface Note {
  readonly voice: Voice;
  /** In beats, from the start. */
  readonly at: number;
  readonly beats: number;
  /** MIDI note number; without meaning for drums. */
  readonly pitch: number;
  readonly loudness: number;
}

/** A little song: chords, a melody, a bass and perhaps drums. */
export interface Score {
  readonly beatsPerMinute: number;
  readonly beats: number;
  readonly notes: readonly Note[];
}

const beatsPerBar = 4;
/** How long the last notes ring on. */
const tailBeats = 3;

/** How long a song sounds, in seconds. */
export function measureSong(recipe: SongRecipe): number {
  const { beats, beatsPerMinute } = composeSong(recipe);
  return Math.round((((beats + tailBeats) * 60) / beatsPerMinute / recipe.tempo) * 100) / 100;
}

/** The score of a song: the same notes for the same origin, played in the style that its words suggest. */
export function composeSong({ seed, style, notesFrom, isInstrumental }: SongRecipe): Score {
  const beatsPerMinute = choosePace(style, createDice(`pace ${seed} ${style}`));
  // As many bars as fill about half a minute.
  const bars = Math.max(8, Math.round((beatsPerMinute * 27) / 60 / beatsPerBar / 4) * 4);
  const dice = createDice(`notes ${notesFrom}`);
  const scale = isSad(style) ? [0, 2, 3, 5, 7, 8, 10] : [0, 2, 4, 5, 7, 9, 11];
  const key: Key = { root: 57 + dice.between(-5, 6), scale };
  const progression = dice.pick(progressions);
  const motif = createMotif(dice);
  const notes: Note[] = [];
  for (let bar = 0; bar < bars; bar += 1) {
    const chord = progression[bar % progression.length] ?? 0;
    const isQuiet = bar < 2 || bar >= bars - 2;
    notes.push(...playChord(key, chord, bar), ...playBass(key, chord, bar));
    notes.push(...playMelody({ key, chord, bar, motif, voice: isInstrumental ? 'lead' : 'singer' }));
    if (!isQuiet && hasDrums(style)) notes.push(...playDrums(bar, dice));
  }
  return { beatsPerMinute, beats: bars * beatsPerBar, notes };
}

interface Key {
  readonly root: number;
  readonly scale: readonly number[];
}

type Motif = readonly { readonly at: number; readonly beats: number; readonly step: number }[];

// Degrees of the scale, one chord per bar.
const progressions: readonly [readonly number[], ...(readonly number[])[]] = [
  [0, 4, 5, 3],
  [0, 5, 3, 4],
  [5, 3, 0, 4],
  [0, 3, 0, 4],
  [0, 2, 3, 4],
];

function choosePace(style: string, dice: Dice): number {
  if (/\b(slow|ambient|ballad|sad|lullaby|calm|dreamy|melancholic)/i.test(style)) return dice.between(66, 80);
  if (/\b(fast|techno|house|punk|metal|dance|disco|upbeat|driving|drum)/i.test(style))
    return dice.between(118, 134);
  return dice.between(86, 112);
}

function isSad(style: string): boolean {
  return /\b(sad|dark|minor|melancholic|blues|metal|rain|lonely|night)/i.test(style);
}

function hasDrums(style: string): boolean {
  return !/\b(ambient|classical|lullaby|piano solo|a cappella|waltz)/i.test(style);
}

function createMotif(dice: Dice): Motif {
  const motif: { at: number; beats: number; step: number }[] = [];
  let step = dice.pick([0, 2, 4]);
  for (let at = 0; at < 2 * beatsPerBar - 1;) {
    const beats = dice.pick([0.5, 0.5, 1, 1, 1.5, 2]);
    if (!dice.chance(0.15)) motif.push({ at, beats, step });
    step = Math.max(-2, Math.min(8, step + dice.pick([-2, -1, -1, 1, 1, 2])));
    at += beats;
  }
  return motif;
}

function playMelody(melody: {
  readonly key: Key;
  readonly chord: number;
  readonly bar: number;
  readonly motif: Motif;
  readonly voice: Voice;
}): Note[] {
  const { key, chord, bar, motif, voice } = melody;
  if (bar === 0) return [];
  const start = (bar % 2) * beatsPerBar;
  return motif
    .filter(({ at }) => at >= start && at < start + beatsPerBar)
    .map(({ at, beats, step }, index) => ({
      voice,
      at: bar * beatsPerBar + at - start,
      beats: beats * 0.95,
      // A phrase lands on a note of its chord.
      pitch: pitchOf(key, index === 0 ? chord + (step % 2 === 0 ? step : step - 1) : step + chord) + 12,
      loudness: 0.5,
    }));
}

function playChord(key: Key, chord: number, bar: number): Note[] {
  return [0, 2, 4].map((third) => ({
    voice: 'pad',
    at: bar * beatsPerBar,
    beats: beatsPerBar,
    pitch: pitchOf(key, chord + third),
    loudness: 0.22,
  }));
}

function playBass(key: Key, chord: number, bar: number): Note[] {
  return [0, 1.5, 2, 3].map((at) => ({
    voice: 'bass',
    at: bar * beatsPerBar + at,
    beats: 0.9,
    pitch: pitchOf(key, chord) - 24,
    loudness: at === 0 ? 0.6 : 0.42,
  }));
}

function playDrums(bar: number, dice: Dice): Note[] {
  const hit = (voice: Voice, at: number, loudness: number): Note => {
    return { voice, at: bar * beatsPerBar + at, beats: 0.5, pitch: 0, loudness };
  };
  const hats = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5].map((at) => hit('hat', at, at % 1 === 0 ? 0.12 : 0.07));
  const extra = dice.chance(0.3) ? [hit('kick', 2.5, 0.5)] : [];
  return [
    hit('kick', 0, 0.8),
    hit('kick', 2, 0.7),
    hit('snare', 1, 0.35),
    hit('snare', 3, 0.35),
    ...hats,
    ...extra,
  ];
}

/** The pitch of a degree of the scale; degrees go on above and below the octave. */
function pitchOf({ root, scale }: Key, degree: number): number {
  const octave = Math.floor(degree / scale.length);
  return root + 12 * octave + (scale[degree - octave * scale.length] ?? 0);
}
