export { GengraphChatError } from './message.ts';
export type { GengraphMessage, GengraphMetadata } from './message.ts';
export { GengraphChatTransport } from './transport.ts';
export type { GengraphChatOptions } from './transport.ts';
export type { ChatSettings } from './prepare.ts';
