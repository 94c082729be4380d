import './graphql/scalars.ts';
import './graphql/node.ts';
import './graphql/generation.ts';
import './graphql/generations.ts';
import './graphql/cancel.ts';
import './graphql/task.ts';
import './graphql/task-queries.ts';
import './graphql/await-generation.ts';
import './graphql/forget.ts';
import './graphql/image-set.ts';
// One line per capability.
import './capabilities/chat/schema.ts';
import './capabilities/voice/schema.ts';
import './capabilities/tokens/schema.ts';
import './capabilities/images/schema.ts';
import './capabilities/images/stream-schema.ts';
import './capabilities/image-queue/schema.ts';
import './capabilities/music/schema.ts';
import './capabilities/predictions/schema.ts';
import './capabilities/content/schema.ts';
import './capabilities/speech/schema.ts';
import './capabilities/video/schema.ts';
import { lexicographicSortSchema } from 'graphql';
import { builder } from './graphql/builder.ts';
import { toSubgraphSchema } from './graphql/subgraph/subgraph-schema.ts';

/** What clients see, sorted so that its printed form changes only where the schema does. */
export const schema = lexicographicSortSchema(builder.toSchema());

/** What is executed: the same, and what routers ask of a subgraph. */
export const subgraphSchema = toSubgraphSchema(schema);
