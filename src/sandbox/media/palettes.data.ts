/** Colors of scenes: three of the sky from top to horizon, the light in it, four of the land from far to near. */
export const palettes = {
  themes: [
    {
      words: /\b(sunset|sunrise|dawn|dusk|evening|fire|autumn)|日落|夕阳/i,
      colors: '#2b2d6e #d4577b #ffb86b #fff1c9 #8a3f72 #6a2f65 #4a2254 #2a153d',
    },
    {
      words: /\b(sea|ocean|water|lake|river|beach|island|wave|fish|boat|whale)|海|水/i,
      colors: '#0f4c81 #3f9fcf #bfe9f2 #fffbe6 #3c94b8 #2a7699 #185777 #0b3954',
    },
    {
      words: /\b(forest|tree|green|garden|jungle|grass|leaf|frog|fox|bear)|森林|树/i,
      colors: '#86c5da #cfe8cf #f6f3d0 #fff8c4 #8fbf7a #5f9e5f #3a7a4c #1f5138',
    },
    {
      words: /\b(night|moon|star|space|galaxy|planet|astronaut|robot|cosmos)|夜|星/i,
      colors: '#05071f #1b1b4b #4b3b86 #f4f1ff #37306f #272456 #181a3f #0b0e26',
    },
    {
      words: /\b(snow|winter|ice|polar|mountain|penguin)|山|雪/i,
      colors: '#6d8fb8 #b6cbe3 #eef4fa #ffffff #a9bfd6 #8aa6c3 #64839f #3e5872',
    },
    {
      words: /\b(desert|sand|camel|dune|gold|lion)|沙漠/i,
      colors: '#4f86b5 #e8c98a #fbe9c0 #fff6dc #e0ab5e #c78a45 #a36a35 #744727',
    },
    {
      words: /\b(flower|rose|spring|pink|love|cherry|cat)|花|猫/i,
      colors: '#8fb8de #f3c6d9 #ffeef2 #fff6f0 #e59bb9 #cb7399 #9f4f7b #6b345b',
    },
    {
      words: /\b(city|street|neon|cyber|car|urban|tower)|城/i,
      colors: '#140f2d #4a1f6f #f0559b #8ef6ff #5a2a80 #3d1f63 #271648 #130c2a',
    },
  ],
  /** For prompts without a theme. */
  others: [
    '#1f3a5f #5f7fb2 #f2c9a1 #fff2d8 #6f7fae #53628f #394770 #20294a',
    '#31456a #7aa6a1 #f4e3b2 #fffbe8 #6fa08b #4b7f74 #315f5e #1b4046',
    '#45265e #a9568f #ffc1a1 #fff0dd #87457f #68366b #482854 #2a183a',
    '#123c4a #3f8f86 #e7e3b5 #fffdea #49917a #32735f #205648 #113a31',
  ],
} as const;
