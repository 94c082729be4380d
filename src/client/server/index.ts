export { chatRoute, type ChatRouteOptions, type RouteOptions } from './chat-route.ts';
export { documentTexts } from './texts.generated.ts';
export { tokenRoute, type TokenRouteOptions } from './token-route.ts';
