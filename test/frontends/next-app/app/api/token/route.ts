export { POST } from '../../../../examples/server/token-route.ts';
