import { tokenRoute } from '@gengraph/client/server';
import { findSession } from './session.ts';

// In Next.js: app/api/token/route.ts
export const POST = tokenRoute({
  secret: process.env['AUTH_JWT_SECRET'] ?? '',
  issuer: 'https://auth.example',
  audience: 'my-app',
  userOf: async (request) => (await findSession(request))?.userId,
});
