export { POST } from '../../../../examples/server/chat-route.ts';
