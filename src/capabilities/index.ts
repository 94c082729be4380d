import type { Capability } from '../graphql/capability.ts';
import { chat } from './chat/index.ts';
import { content } from './content/index.ts';
import { imageQueue } from './image-queue/index.ts';
import { images } from './images/index.ts';
import { music } from './music/index.ts';
import { predictions } from './predictions/index.ts';
import { speech } from './speech/index.ts';
import { tokens } from './tokens/index.ts';
import { video } from './video/index.ts';
import { voice } from './voice/index.ts';

/** All capabilities, in the order in which a new user would try them. */
export const capabilities: readonly Capability[] = [
  chat,
  voice,
  images,
  content,
  imageQueue,
  music,
  predictions,
  speech,
  video,
  tokens,
];
