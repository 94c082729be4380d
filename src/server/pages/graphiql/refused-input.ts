/** Shows how this API refuses an input. No example for clients, so it has no file among the operations. */
export const refusedInput = {
  name: 'refused-input',
  capability: 'chat',
  query: `# A refused input: nothing is sent or charged.
# The answer lists all its problems at once, each
# with its path, its limit and what was received.
# Correct them in Variables and play again.
mutation RefusedInput($input: ChatInput!) {
  startChat(input: $input) {
    __typename
    ... on InvalidInputError {
      code
      message
      retry
      issues {
        path
        message
        limit
        received
      }
    }
    ... on GengraphError {
      code
      message
      retry
    }
    ... on Generation {
      id
      status
    }
  }
}
`,
  variables: {
    input: {
      model: 'gpt-4o',
      messages: [
        { role: 'USER', content: { text: 'How warm is it at the lighthouse?' } },
        { role: 'TOOL', content: { text: '21 degrees' } },
      ],
      temperature: 5,
      topP: 2,
      presencePenalty: -9,
      stop: ['.', '!', '?', ';', ':'],
    },
  },
};
