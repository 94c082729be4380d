import { lazyRoutes } from '../http/lazy-routes.ts';

export const voiceRoutes = [
  ...lazyRoutes(
    () => import('./preset-voices.ts'),
    [['GET', '/videoa/v1/general/presets-voices', 'handlePresetVoices']],
  ),
  ...lazyRoutes(() => import('./voice-sample.ts'), [['GET', '/assets/voices/:file', 'handleVoiceSample']]),
];
