/** Operations for the servers under test, and the resulting upstream requests. */

export const voicesPath = '/videoa/v1/general/presets-voices';
export const chatPath = '/v1/chat/completions';
export const voiceCount = 20;

export const voicesQuery = /* GraphQL */ `
  query Voices($first: Int) {
    voices(first: $first) {
      edges {
        node {
          id
          voiceId
          name
          language
          gender
        }
      }
    }
  }
`;

/** Selection of a front end that shows a growing reply. */
export const chatSubscription = /* GraphQL */ `
  subscription StreamChat($input: ChatInput!) {
    streamChat(input: $input) {
      __typename
      sequence
      ... on ChatDelta {
        fromSequence
        choices {
          index
          content
          finishReason
        }
      }
    }
  }
`;

/** Follows a chat that another operation started. Its events have the same form. */
export const chatEventsSubscription = /* GraphQL */ `
  subscription ChatEvents($id: ID!) {
    streamChat: chatEvents(id: $id) {
      __typename
      sequence
      ... on ChatDelta {
        fromSequence
        choices {
          index
          content
          finishReason
        }
      }
    }
  }
`;

export const startChatMutation = /* GraphQL */ `
  mutation StartChat($input: ChatInput!, $key: ID!) {
    startChat(input: $input, idempotencyKey: $key) {
      ... on Generation {
        id
      }
    }
  }
`;

export const chatPrompt = 'Tell me a long story about a lighthouse keeper.';

/** Model of chats whose first token and end the upstream writes at once. */
export const promptModel = 'prompt-reply';

export function chatInput(model: string) {
  return { model, messages: [{ role: 'USER', content: { text: chatPrompt } }] };
}

/** A token contains its number in the stream and its send time: `<number>@<microseconds> `. */
export function tokenText(number: number): string {
  return `${number}@${monotonicMicros()} `;
}

export function parseTokens(
  text: string,
): readonly { readonly number: number; readonly sentMicros: number }[] {
  return text
    .trimEnd()
    .split(' ')
    .map((token) => {
      const [number, sentMicros] = token.split('@').map(Number);
      if (number === undefined || sentMicros === undefined) throw new Error(`not a token: ${token}`);
      return { number, sentMicros };
    });
}

/** A clock that all processes of the machine share. */
export function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
