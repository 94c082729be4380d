/** Vowels, lengths and pitches of the speeches. */
export const speechSounds = {
  /** Strength of each overtone, that of the fundamental first: the vowels ah, eh, ee, oh and oo. */
  vowels: [
    [0.7, 0.9, 0.8, 0.5, 0.2, 0.1],
    [0.8, 0.9, 0.4, 0.2, 0.3, 0.2],
    [1, 0.4, 0.1, 0.1, 0.2, 0.4],
    [0.9, 1, 0.4, 0.1, 0.05, 0],
    [1, 0.5, 0.1, 0.05, 0, 0],
  ],
  beep: [1],
  /** Seconds. */
  lengths: { syllable: 0.21, space: 0.04, comma: 0.16, sentence: 0.38 },
  /** How far the pitch of an emotion moves up and down, and how much higher it is, in semitones. */
  melodies: {
    happy: { swing: 4, lift: 2 },
    sad: { swing: 1, lift: -2 },
    angry: { swing: 3, lift: 1 },
    fearful: { swing: 3, lift: 3 },
    disgusted: { swing: 2, lift: -1 },
    surprised: { swing: 6, lift: 3 },
    calm: { swing: 2, lift: 0 },
  },
  /** The beeps of a marked speech. */
  mark: [880, 880, 1175, 880],
} as const;
