import type { Route } from '../http/routes.ts';

export const voiceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/videoa/v1/general/presets-voices',
    load: async () => (await import('./preset-voices.ts')).handlePresetVoices,
  },
  {
    method: 'GET',
    path: '/assets/voices/:file',
    load: async () => (await import('./voice-sample.ts')).handleVoiceSample,
  },
];
