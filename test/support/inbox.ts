export { createInbox, type Inbox } from '../../src/contract/clients/inbox.ts';
