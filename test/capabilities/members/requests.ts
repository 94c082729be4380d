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

/** Requests that the graph cannot make yet. One that can, and is still here, fails the test of members. */
export const pending: readonly string[] = [];

/** Every request of the gateway's document, written out by hand from it. */
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
