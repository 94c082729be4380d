import type { Dice } from '../../random.ts';
import type { Conversation } from './conversation.ts';

type Phrases = readonly [string, ...string[]];

/** The reply to what is said rather than asked; undefined for all other prompts. */
export function makeSmallTalk(conversation: Conversation, dice: Dice): string | undefined {
  const { prompt, topics, earlierTopic } = conversation;
  if (/\bjokes?\b/i.test(prompt)) return dice.pick(jokes);
  if (
    /\b(i am|i'm|i’m|i feel|feeling) (so |very |a bit |really )?(sad|tired|lonely|angry|stressed|anxious|unhappy)\b/i.test(
      prompt,
    )
  ) {
    return `${dice.pick(comforts)} ${dice.pick(offers)}`;
  }
  const hasNothingToGoBy = topics.length === 0 && earlierTopic === undefined && !/\p{L}{4}/u.test(prompt);
  return hasNothingToGoBy ? dice.pick(questions) : undefined;
}

const jokes: Phrases = [
  'Why do programmers prefer dark mode? Because light attracts bugs. 🐛',
  'I told my plants a joke about photosynthesis. They did not laugh, but they took it lightly. 🌱',
  'A neutron walks into a café and asks for the price of a coffee. “For you,” says the waiter, “no charge.”',
  'There are two hard things in computing: naming things, cache invalidation, and off-by-one errors.',
  'Why did the scarecrow get a prize? He was outstanding in his field. 🌾',
  'My bread and I had an argument. In the end it rose to the occasion. 🍞',
];

const comforts: Phrases = [
  'I am sorry to hear that. Days like this are part of life, but that does not make them easier.',
  'That sounds hard, and it is good that you say it.',
  'Thank you for telling me. It makes sense that you feel that way.',
];

const offers: Phrases = [
  'Would you like to talk about what happened, or would you rather think about something else for a while? 💛',
  'A short walk and a glass of water often help more than one expects. I am here if you want to tell me more. 💛',
  'If it lasts, somebody you trust is a better listener than I am. What would make the next hour a little lighter?',
];

const questions: Phrases = [
  'Could you tell me a little more? A sentence about what you have in mind is enough for me to go on.',
  'I am not sure what you mean yet — what would you like to know?',
  'Sure. What shall we talk about? You could ask me to explain something, to write a story, or to make a list 🙂',
];
