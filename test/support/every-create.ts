import { requests } from '../capabilities/members/requests.ts';
import { nameOf, type RequestMembers } from '../capabilities/members/request-members.ts';
import { findRootField } from './request-members.ts';

/** Every request that creates something, by its name. */
export const everyCreate: readonly (readonly [name: string, request: RequestMembers])[] = requests
  .filter(({ field }) => findRootField(field)?.field.args.some(({ name }) => name === 'idempotencyKey'))
  .map((request) => [nameOf(request), request] as const);

/** A reply that every family accepts. */
export const acceptedReply = {
  id: 'w-1',
  task_id: 'w-1',
  request_id: 'w-1',
  status: 'pending',
  data: [{ url: 'http://x/1.png' }],
  choices: [{ index: 0, message: { content: 'a' } }],
  Resp: { video_id: 1 },
  base_resp: { status_code: 0 },
  candidates: [{ content: { parts: [{ text: 'a' }] } }],
};
