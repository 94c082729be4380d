/** The members of one reply of the gateway, and the fields that return them. */
export interface ReplyMembers {
  /** Number in the gateway's document, section "Endpoints". */
  readonly endpoint: number;
  readonly field: string;
  /** Present when one root field has several replies. */
  readonly variant?: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether the gateway's document shows the reply. Otherwise it is a common shape, and others are read too. */
  readonly isDocumented: boolean;
  /** A reply with every member. */
  readonly reply: unknown;
  /**
   * Field of every member, by path in the reply: `ImageSet.images[].url` of `data[].url`. Null when only `raw` has it. A
   * member without listed children may have any content.
   */
  readonly members: Readonly<Record<string, string | null>>;
}
