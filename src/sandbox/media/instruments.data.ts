/**
 * The instruments of songs. `overtones`: the strength of each, that of the fundamental first. `attack` and `release` are
 * seconds, `decay` is the part that is left after a second, `vibrato` a part of the frequency.
 */
export const instruments = {
  lead: { overtones: [1, 0.35, 0.12, 0.18, 0.04], attack: 0.005, release: 0.25, decay: 0.12, vibrato: 0 },
  // The vowel "ah".
  singer: {
    overtones: [0.8, 0.9, 0.7, 0.35, 0.12, 0.08],
    attack: 0.06,
    release: 0.12,
    decay: 0.8,
    vibrato: 0.006,
  },
  pad: { overtones: [1, 0.25, 0.3, 0.1], attack: 0.15, release: 0.4, decay: 0.7, vibrato: 0 },
  bass: { overtones: [1, 0.6, 0.25, 0.1], attack: 0.008, release: 0.06, decay: 0.3, vibrato: 0 },
} as const;
