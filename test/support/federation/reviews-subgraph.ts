import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DocumentNode, parse } from 'graphql';
import { createYoga } from 'graphql-yoga';

/**
 * A subgraph of another team with reviews of Gengraph's tasks and generations. It follows Relay and has its own `node`,
 * `nodes`, `Error`, `Usage` and `PageInfo`, to test for name conflicts.
 */
export const reviewsSdl = /* GraphQL */ `
  extend schema
    @link(
      url: "https://specs.apollo.dev/federation/v2.4"
      import: ["@external", "@key", "@requires", "@shareable"]
    )

  type Query {
    node(id: ID!): Node
    nodes(ids: [ID!]!): [Node]!
    reviews(first: Int, after: String): ReviewConnection!
    usage: Usage!
  }

  type Mutation {
    review(subject: ID!, stars: Int!): ReviewResult!
  }

  interface Node {
    id: ID!
  }

  type PageInfo @shareable {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }

  type Review implements Node @key(fields: "id") {
    id: ID!
    stars: Int!
    task: Task
    generation: Generation
    "The voice that reads the review aloud."
    reader: Voice
  }

  type ReviewEdge {
    cursor: String!
    node: Review!
  }

  type ReviewConnection {
    edges: [ReviewEdge!]!
    pageInfo: PageInfo!
  }

  union ReviewResult = Review | Error

  type Error {
    message: String!
  }

  type Usage {
    reviews: Int!
  }

  type Task implements Node @key(fields: "id") {
    id: ID!
    stars: Int
    "Derived from Gengraph's fields of the task."
    headline: String! @requires(fields: "upstreamId")
    upstreamId: String! @external
  }

  type Generation implements Node @key(fields: "id") {
    id: ID!
    stars: Int
    headline: String! @requires(fields: "prompt")
    prompt: String @external
  }

  type Voice @key(fields: "id", resolvable: false) {
    id: ID!
  }
`;

export interface Review {
  readonly id: string;
  readonly stars: number;
  /** Id of a Gengraph task, like `generation` and `voice`. */
  readonly task?: string;
  readonly generation?: string;
  readonly voice?: string;
}

export interface ReviewsSubgraph extends AsyncDisposable {
  readonly url: string;
  readonly reviews: Review[];
  /** The headers of every request, in order. */
  readonly requests: readonly IncomingHttpHeaders[];
}

export async function startReviewsSubgraph(port = 0): Promise<ReviewsSubgraph> {
  const reviews: Review[] = [];
  const requests: IncomingHttpHeaders[] = [];
  const yoga = createYoga({
    schema: buildSubgraphSchema({ typeDefs: parse(reviewsSdl), resolvers: toResolvers(reviews) }),
    logging: false,
    landingPage: false,
  });
  const server = createServer((request, response) => {
    requests.push(request.headers);
    void yoga(request, response);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    reviews,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Reference {
  readonly id: string;
  readonly prompt?: string | null;
  readonly upstreamId?: string;
}

type Module = Extract<
  Parameters<typeof buildSubgraphSchema>[0],
  { readonly typeDefs: DocumentNode | DocumentNode[] }
>;
type Resolvers = NonNullable<Module['resolvers']>;

function toResolvers(reviews: Review[]): Resolvers {
  const find = (id: string): Review | undefined => reviews.find((review) => review.id === id);
  const starsOf =
    (subject: 'task' | 'generation') =>
    ({ id }: Reference): number | null =>
      reviews.find((review) => review[subject] === id)?.stars ?? null;
  const refer =
    (typeName: string, subject: 'task' | 'generation' | 'voice') =>
    (review: Review): object | null =>
      review[subject] === undefined ? null : { __typename: typeName, id: review[subject] };
  return {
    Query: {
      node: (_root: unknown, { id }: { id: string }) => find(id) ?? null,
      nodes: (_root: unknown, { ids }: { ids: readonly string[] }) => ids.map((id) => find(id) ?? null),
      reviews: () => ({
        edges: reviews.map((review) => ({ cursor: review.id, node: review })),
        pageInfo: { hasNextPage: false, hasPreviousPage: false },
      }),
      usage: () => ({ reviews: reviews.length }),
    },
    Mutation: {
      review(_root: unknown, { subject, stars }: { subject: string; stars: number }) {
        if (stars > 5) return { __typename: 'Error', message: 'At most 5 stars.' };
        const kind = subject.startsWith('task_') ? 'task' : 'generation';
        const review: Review = { id: `review_${reviews.length}`, stars, [kind]: subject };
        reviews.push(review);
        return { __typename: 'Review', ...review };
      },
    },
    Node: { __resolveType: () => 'Review' },
    Review: {
      __resolveReference: ({ id }: Reference) => find(id) ?? null,
      task: refer('Task', 'task'),
      generation: refer('Generation', 'generation'),
      reader: refer('Voice', 'voice'),
    },
    Task: {
      __resolveReference: (reference: Reference) => reference,
      stars: starsOf('task'),
      headline: ({ upstreamId }: Reference) => `About ${upstreamId}`,
    },
    Generation: {
      __resolveReference: (reference: Reference) => reference,
      stars: starsOf('generation'),
      headline: ({ prompt }: Reference) => `About “${prompt ?? ''}”`,
    },
  };
}
