import { createDice, type Dice } from '../random.ts';
import type { instruments } from './instruments.data.ts';
import type { SongRecipe } from './recipes.ts';
import { songs } from './song.data.ts';

export interface Note {
  readonly voice: keyof typeof instruments | 'kick' | 'snare' | 'hat';
  /** In beats, from the start. */
  readonly at: number;
  readonly beats: number;
  /** MIDI note number. Drums ignore it. */
  readonly pitch: number;
  readonly loudness: number;
}

/** A short song: chords, a melody, a bass and perhaps drums. */
export interface Score {
  readonly beatsPerMinute: number;
  readonly beats: number;
  readonly notes: readonly Note[];
}

const beatsPerBar = 4;
/** How long the last notes ring on. */
const tailBeats = 3;

/** The length of a song in seconds. */
export function measureSong(recipe: SongRecipe): number {
  const { beats, beatsPerMinute } = composeSong(recipe);
  return Math.round((((beats + tailBeats) * 60) / beatsPerMinute / recipe.tempo) * 100) / 100;
}

/** The score of a song: the same notes for the same origin, played in the style that its words suggest. */
export function composeSong({ seed, style, notesFrom, isInstrumental }: SongRecipe): Score {
  const {
    range: [slowest, fastest],
  } = songs.paces.find(({ words }) => words.test(style)) ?? songs.paces[0];
  const beatsPerMinute = createDice(`pace ${seed} ${style}`).between(slowest, fastest);
  // About half a minute.
  const bars = Math.max(8, Math.round((beatsPerMinute * 27) / 60 / beatsPerBar / 4) * 4);
  const dice = createDice(`notes ${notesFrom}`);
  const scale = songs.minorWords.test(style) ? songs.scales.minor : songs.scales.major;
  const root = 57 + dice.between(-5, 6);
  const progression = dice.pick(songs.progressions);
  const motif = createMotif(dice);
  const hasDrums = !songs.noDrumWords.test(style);
  const notes: Note[] = [];
  for (let bar = 0; bar < bars; bar += 1) {
    const chord = progression[bar % progression.length] ?? 0;
    const start = bar * beatsPerBar;
    const play = (note: Omit<Note, 'pitch'>, degree = 0, octave = 0): void => {
      notes.push({ ...note, at: start + note.at, pitch: root + 12 * octave + semitonesOf(scale, degree) });
    };
    for (const third of [0, 2, 4]) {
      play({ voice: 'pad', at: 0, beats: beatsPerBar, loudness: 0.22 }, chord + third);
    }
    for (const [at, loudness] of songs.bass) play({ voice: 'bass', at, beats: 0.9, loudness }, chord, -2);
    const phraseStart = (bar % 2) * beatsPerBar;
    const phrase = motif.filter(({ at }) => at >= phraseStart && at < phraseStart + beatsPerBar);
    for (const [index, { at, beats, step }] of (bar === 0 ? [] : phrase).entries()) {
      // A phrase begins with a note of its chord.
      const degree = chord + (index === 0 && step % 2 !== 0 ? step - 1 : step);
      const voice = isInstrumental ? 'lead' : 'singer';
      play({ voice, at: at - phraseStart, beats: beats * 0.95, loudness: 0.5 }, degree, 1);
    }
    if (!hasDrums || bar < 2 || bar >= bars - 2) continue;
    for (const [voice, at, loudness] of songs.drums) play({ voice, at, beats: 0.5, loudness });
    if (dice.chance(0.3)) play({ voice: 'kick', at: 2.5, beats: 0.5, loudness: 0.5 });
  }
  return { beatsPerMinute, beats: bars * beatsPerBar, notes };
}

interface MotifNote {
  readonly at: number;
  readonly beats: number;
  /** Degree of the scale above the chord. */
  readonly step: number;
}

/** A melody of two bars. */
function createMotif(dice: Dice): readonly MotifNote[] {
  const motif: MotifNote[] = [];
  let step = dice.pick([0, 2, 4]);
  for (let at = 0; at < 2 * beatsPerBar - 1;) {
    const beats = dice.pick([0.5, 0.5, 1, 1, 1.5, 2]);
    if (!dice.chance(0.15)) motif.push({ at, beats, step });
    step = Math.max(-2, Math.min(8, step + dice.pick([-2, -1, -1, 1, 1, 2])));
    at += beats;
  }
  return motif;
}

/** The semitones of a degree of the scale, which continues above and below the octave. */
function semitonesOf(scale: readonly number[], degree: number): number {
  const octave = Math.floor(degree / scale.length);
  return 12 * octave + (scale[degree - octave * scale.length] ?? 0);
}
