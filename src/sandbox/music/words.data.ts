/** The words of titles, styles and lyrics. `*` is a subject of the song. */
export const words = {
  genres: [
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
  ],
  moods: ['dreamy', 'upbeat', 'warm', 'melancholic', 'hopeful', 'mellow', 'driving', 'playful'],
  sounds: ['piano', 'acoustic guitar', 'synth pads', 'strings', 'electric piano', 'bells'],
  fillers:
    'a an and the of in on for with about to from by my your our is are it its song songs music tune make me write create some this that very one',
  /** Subjects of titles for descriptions without one. */
  subjects: ['morning', 'river', 'window', 'silver'],
  titles: ['*', '* Tonight', 'Song for *', '*, Again'],
  verses: [
    'I saw the * in the early light',
    'You left the * burning through the night',
    'Every road is leading back to *',
    'And I keep a little * in my hand',
    'The window hums of * and rain',
    'We sang of * and then sang it again',
  ],
  chorus:
    'Oh *, carry me along\nOh *, you were in my song\nHigher than the rooftops, slower than the snow\nOh *, never let me go',
} as const;
