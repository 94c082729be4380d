import { chatRoutes } from './chat/routes.ts';
import type { Route } from './http/routes.ts';
import { imageQueueRoutes } from './image-queue/routes.ts';
import { imageRoutes } from './images/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { musicRoutes } from './music/routes.ts';
import { nativeContentRoutes } from './native-content/routes.ts';
import { predictionRoutes } from './predictions/routes.ts';
import { referenceVideoRoutes } from './reference-video/routes.ts';
import { serviceRoutes } from './service/routes.ts';
import { speechRoutes } from './speech/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { transitionVideoRoutes } from './transition-video/routes.ts';
import { videoQueryRoutes } from './video-queries/routes.ts';
import { videoRoutes } from './video/routes.ts';
import { voiceCloneRoutes } from './voice-clone/routes.ts';
import { voiceRoutes } from './voices/routes.ts';

/** Every endpoint of the sandbox: one line per family. */
export const routes: readonly Route[] = [
  ...serviceRoutes,
  ...chatRoutes,
  ...tokenRoutes,
  ...voiceRoutes,
  ...mediaRoutes,
  ...imageRoutes,
  ...imageQueueRoutes,
  ...predictionRoutes,
  ...musicRoutes,
  ...nativeContentRoutes,
  ...speechRoutes,
  ...videoRoutes,
  ...referenceVideoRoutes,
  ...transitionVideoRoutes,
  ...videoQueryRoutes,
  ...voiceCloneRoutes,
];
