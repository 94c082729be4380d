import { getNamedType, isUnionType } from 'graphql';
import { requests } from '../capabilities/members/requests.ts';
import { nameOf, type RequestMembers } from '../capabilities/members/request-members.ts';
import { findRootField } from './request-members.ts';

/** Every request that creates something, by its name. */
export const everyCreate: readonly (readonly [name: string, request: RequestMembers])[] = requests
  .filter(({ field }) => findRootField(field)?.field.args.some(({ name }) => name === 'idempotencyKey'))
  .map((request) => [nameOf(request), request] as const);

/** Whether a create makes a generation. The others make a token or a voice. */
export function makesGeneration(field: string): boolean {
  const root = findRootField(field);
  if (root?.kind !== 'mutation') return root?.kind === 'subscription';
  const type = getNamedType(root.field.type);
  return isUnionType(type) && type.getTypes().some(({ name }) => name === 'Generation');
}

/** Creates for which `acceptedReply` is the result. */
export const immediateCreates: ReadonlySet<string> = new Set([
  'createImage',
  'generateContent',
  'adjustSongSpeed',
]);

/** Mutations that make a generation, without chats. */
export const generating = everyCreate.filter(
  ([, { field }]) =>
    findRootField(field)?.kind === 'mutation' &&
    makesGeneration(field) &&
    !['createChatCompletion', 'startChat'].includes(field),
);

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
