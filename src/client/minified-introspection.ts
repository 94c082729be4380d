interface NamedType {
  readonly kind: string;
  readonly name: string;
}

/** An introspection of the schema that has only what a normalized cache reads. */
export interface MinifiedIntrospection {
  readonly __schema: {
    readonly queryType: NamedType;
    readonly mutationType: NamedType;
    readonly subscriptionType: NamedType;
    readonly types: readonly (NamedType & {
      readonly fields?: readonly unknown[];
      readonly interfaces?: readonly NamedType[];
      readonly possibleTypes?: readonly NamedType[];
    })[];
    readonly directives: readonly unknown[];
  };
}
