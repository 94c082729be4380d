import { shared } from './shared-descriptions.ts';

/** The options of a field that can be null. */
export function nullable(description: string) {
  return { nullable: true, description } as const;
}

/** The options of the member of an input that adds members to the request. */
export const extraMember = { type: 'JSON', description: shared.extra } as const;
