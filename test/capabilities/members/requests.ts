import { chatRequests } from './chat.ts';
import { contentRequests } from './content.ts';
import { imageRequests } from './images.ts';
import { musicRequests } from './music.ts';
import { predictionRequests } from './predictions.ts';
import { queueRequests } from './queue.ts';
import type { RequestMembers } from './request-members.ts';
import { speechAndVoiceRequests } from './speech-and-voices.ts';
import { tokenRequests } from './tokens.ts';
import { videoRequests } from './videos.ts';

/** Requests that the graph does not support yet. The members test fails for a supported request in this list. */
export const pending: readonly string[] = [];

/** Every request of the gateway's document, written by hand. */
export const requests: readonly RequestMembers[] = [
  ...chatRequests,
  ...imageRequests,
  ...speechAndVoiceRequests,
  ...predictionRequests,
  ...videoRequests,
  ...tokenRequests,
  ...queueRequests,
  ...musicRequests,
  ...contentRequests,
];
