import { keyText, newestText, rawText, threadText } from './ai-sdk/thread.ts';
import { changesText, pageText } from './feed.ts';
import { endText, generationText, taskText } from './follow-generation.ts';
import { type GenerateInputs, generateText } from './generate.ts';
import { cancelText, chatEventsText, startChatText } from './sent-texts.ts';
import { progressText } from './task-watch.ts';

/** Complete: the compiler names a create that is missing here. */
const fields = {
  adjustSongSpeed: true,
  createAnimation: true,
  createImage: true,
  createReferenceVideo: true,
  createSong: true,
  createSongCover: true,
  createSpeech: true,
  createTransitionVideo: true,
  createVideo: true,
  fillImage: true,
  generateContent: true,
  queueImage: true,
  queueInpainting: true,
} satisfies Record<keyof GenerateInputs, true>;

/** Everything that the client sends besides typed documents, for servers that run nothing else. Pages do not import it. */
export const listTexts = (): readonly string[] => [
  startChatText,
  chatEventsText,
  cancelText,
  taskText,
  generationText,
  endText,
  pageText,
  changesText,
  progressText,
  threadText,
  newestText,
  keyText,
  rawText,
  // What Object.keys returns is typed as text.
  ...(Object.keys(fields) as (keyof typeof fields)[]).map(generateText),
];
