/** Scales, chords and rhythms of the songs. */
export const songs = {
  /** Semitones above the root. */
  scales: { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10] },
  /** Degrees of the scale, one chord a bar. */
  progressions: [
    [0, 4, 5, 3],
    [0, 5, 3, 4],
    [5, 3, 0, 4],
    [0, 3, 0, 4],
    [0, 2, 3, 4],
  ],
  /** Beats a minute by the words of a style; the last one is for all others. */
  paces: [
    { words: /\b(slow|ambient|ballad|sad|lullaby|calm|dreamy|melancholic)/i, range: [66, 80] },
    { words: /\b(fast|techno|house|punk|metal|dance|disco|upbeat|driving|drum)/i, range: [118, 134] },
    { words: /(?:)/, range: [86, 112] },
  ],
  minorWords: /\b(sad|dark|minor|melancholic|blues|metal|rain|lonely|night)/i,
  noDrumWords: /\b(ambient|classical|lullaby|piano solo|a cappella|waltz)/i,
  /** Beats and loudness of a bar's bass and drums. */
  bass: [
    [0, 0.6],
    [1.5, 0.42],
    [2, 0.42],
    [3, 0.42],
  ],
  drums: [
    ['kick', 0, 0.8],
    ['kick', 2, 0.7],
    ['snare', 1, 0.35],
    ['snare', 3, 0.35],
    ['hat', 0, 0.12],
    ['hat', 0.5, 0.07],
    ['hat', 1, 0.12],
    ['hat', 1.5, 0.07],
    ['hat', 2, 0.12],
    ['hat', 2.5, 0.07],
    ['hat', 3, 0.12],
    ['hat', 3.5, 0.07],
  ],
} as const;
