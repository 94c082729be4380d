import { chatRoute } from '@gengraph/client/server';
import { findSession } from './session.ts';

// In Next.js: app/api/graphql/route.ts
export const POST = chatRoute({
  url: process.env['GENGRAPH_URL'] ?? 'http://127.0.0.1:4000/graphql',
  key: process.env['GATEWAY_API_KEY'] ?? 'sk-sandbox',
  userOf: async (request) => (await findSession(request))?.userId,
  documents: 'shipped',
});
