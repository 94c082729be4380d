/** Each change of the list, from a cursor on. */
export const changesText = `subscription Changes($after: String, $filter: GenerationFilter) {
  generationChanged(after: $after, filter: $filter) {
    __typename
    cursor
    ... on GenerationChanged {
      matchesFilter
      generation { id kind status prompt assets { kind role url } }
    }
    ... on GenerationRemoved { generationId }
  }
}`;

/** What the page of one generation shows beside its state. */
export const detailsText = `query Details($by: GenerationSelector!) {
  generation(by: $by) {
    input
    usage { promptTokens completionTokens totalTokens }
    canContinue
    notContinuableReason
    collection
  }
}`;

export const forgetText = `mutation Forget($ids: [ID!]!) {
  forgetGenerations(ids: $ids) { forgottenIds skipped { id reason } }
}`;
