/** How the graph sets a member of a gateway request. */
export type MemberSource =
  /** By the argument at this path: `input.messages[].role`. */
  | string
  /** By one of several alternatives. */
  | { readonly anyOf: readonly string[] }
  /** By the choice of an alternative at this path. */
  | { readonly by: string }
  /** By the choice of this root field. */
  | { readonly field: string }
  /** Always sent with this value. */
  | { readonly always: unknown }
  /** Through `extra` at this path, because the gateway's document shows the member only in an example. */
  | { readonly extra: string }
  /** From the caller's header of this name. A credential takes the form of the endpoint. */
  | { readonly header: string };

/** The members of one documented gateway request, and the operations that set all of them. */
export interface RequestMembers {
  /** Number in the gateway's document, section "Endpoints". */
  readonly endpoint: number;
  readonly method: 'GET' | 'POST';
  /** Path in the document, with path members in braces. */
  readonly path: string;
  readonly field: string;
  /** Present when one root field serves several requests. */
  readonly variant?: string;
  /** @default '__typename' */
  readonly selection?: string;
  /** Body of the gateway's replies. @default {} */
  readonly reply?: object;
  /** Arguments that set every member. Several operations when members exclude each other. */
  readonly calls: readonly Readonly<Record<string, unknown>>[];
  /**
   * Every member by path: `messages[].role` in the body, `path:id`, `query:key`, `header:api-key`. A member without
   * listed children may have any content.
   */
  readonly members: Readonly<Record<string, MemberSource>>;
}

export function nameOf({ field, variant }: RequestMembers): string {
  return variant === undefined ? field : `${field} ${variant}`;
}
