/** How the graph says a member of a gateway request. */
export type Said =
  /** An argument and the way to the member in it: `input.messages[].role`. */
  | string
  /** By which alternative is given there, rather than by a value of its own. */
  | { readonly by: string }
  /** By which root field is called. */
  | { readonly field: string }
  /** Not at all: it is always sent, with this value. */
  | { readonly always: unknown }
  /** A member that the gateway's document shows in an example only: through `extra` there. */
  | { readonly extra: string }
  /** The caller's own header of this name; a credential in the form that the endpoint wants. */
  | { readonly header: string };

/** The members of one request of the gateway's document, and the operation of the graph that sends all of them. */
export interface RequestMembers {
  /** Of the gateway's document, "Endpoints". */
  readonly endpoint: number;
  readonly method: 'GET' | 'POST';
  /** As in the document, path members in braces. */
  readonly path: string;
  readonly field: string;
  /** Where one root field stands for several requests. */
  readonly variant?: string;
  /** @default '__typename' */
  readonly selection?: string;
  /** Arguments that say every member, in several operations where they exclude each other. */
  readonly calls: readonly Readonly<Record<string, unknown>>[];
  /**
   * Every member by its place: `messages[].role` in the body, `path:id`, `query:key`, `header:api-key`. What has no
   * members listed below it is free in form.
   */
  readonly members: Readonly<Record<string, Said>>;
}

export function nameOf({ field, variant }: RequestMembers): string {
  return variant === undefined ? field : `${field} ${variant}`;
}
