import { get, type Route } from '../http/routes.ts';

export const voiceRoutes: readonly Route[] = [
  get(
    '/videoa/v1/general/presets-voices',
    async () => (await import('./preset-voices.ts')).handlePresetVoices,
  ),
  get('/assets/voices/:file', async () => (await import('./voice-sample.ts')).handleVoiceSample),
];
