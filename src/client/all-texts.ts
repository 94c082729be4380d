import { keyText, newestText, rawText, threadText } from './ai-sdk/thread.ts';
import { changesText, pageText } from './feed.ts';
import { endText, generationText, taskText } from './follow-generation.ts';
import { generateText } from './generate.ts';
import { cancelText, chatEventsText, startChatText } from './sent-texts.ts';
import { progressText } from './task-watch.ts';
import { uploadText } from './upload.ts';

/** Everything that the client sends besides typed documents, for servers that run nothing else. Pages do not import it. */
export const listTexts = (creates: readonly string[]): readonly string[] => [
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
  uploadText,
  ...creates.map(generateText),
];
