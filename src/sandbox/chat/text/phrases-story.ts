// Sentences of stories, in the order of a plot. {t} is the topic, {hero} and {friend} are people, {place} a place.

type Phrases = readonly [string, ...string[]];

export const heroes: Phrases = ['Mira', 'Anselm', 'Zoë', 'Tomasz', 'Ines', 'Kofi', 'Léa', 'Haruki'];
export const places: Phrases = [
  'a harbour town',
  'the high valley',
  'the old quarter',
  'an island in the north',
  'a city of bridges',
];

export const beginnings: Phrases = [
  'Nobody in {place} had thought much about {t} until the morning when {hero} found a letter under the door.',
  'It was {hero} who first noticed that something about {t} had changed.',
  'On the last day of winter, {hero} came back to {place} with a suitcase full of notes about {t}.',
  'The air smelled of rain and bread, and the streets were still empty.',
  'The letter was short: “Come before the lamps are lit, and bring everything you know about {t}.”',
  '{friend} was already waiting, with two cups of tea and a look that promised trouble.',
  '“You are late,” said {friend}, “but not too late.”',
  'People said that {t} belonged to the old days, when every house had its own story to tell.',
  '{hero} had never believed such things, at least not in daylight.',
];

export const middles: Phrases = [
  'So they set out together, along the river and past the mill, talking about {t} until the sun stood high.',
  'The map that {friend} unfolded was older than both of them, and half of the names were crossed out.',
  '“There,” said {hero}, and pointed to a small blue mark. “That is where it begins.”',
  'They walked for hours, and every time they stopped, someone had a different opinion about {t}.',
  'An old woman at the ferry laughed when they told her. “You are looking for {t}?” she said. “Then look behind you.”',
  'That night they slept badly; the wind kept turning the pages of the notebook.',
  'In the morning the mark on the map had moved, or so it seemed to {hero}.',
  'Doubt is a quiet companion, and by noon it had caught up with them.',
  '“What if we are wrong?” asked {friend}. {hero} did not answer, because the question had no end.',
  'Behind the third bend there stood a house without a door, and in its only window burned a light.',
  'Inside, the walls were covered with drawings of {t}, each a little more exact than the one before.',
  'Somebody had spent a lifetime here, patiently, line by line.',
  'Then the floor creaked, and a voice said their names as if it had practised them for years.',
  'The stranger had kind eyes and ink on both hands, and spoke of {t} the way others speak of a friend.',
  'For a long while nobody said a word; only the kettle sang.',
  'Slowly the pieces fell into place — the letter, the map, the ferry, the light.',
];

export const endings: Phrases = [
  '“You could have asked,” said the stranger at last. “But then you would not have come so far.”',
  '{hero} laughed, for the first time in days, and {friend} laughed too.',
  'When they returned to {place}, the lamps were being lit, one after the other, like sentences in a long letter.',
  'They told everybody what they had learned about {t}, and nobody believed more than half of it.',
  'That was enough.',
  'And if you visit {place} today, you may still hear someone mention {t} in the evening, quietly, as one mentions good weather.',
  'The notebook lies in the library now; on its last page there is a single line in blue ink: “Begin again.” ✨',
];
