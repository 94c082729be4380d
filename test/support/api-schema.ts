import { capabilities } from '../../src/capabilities/index.ts';
import { createSchema } from '../../src/schema.ts';

/** The schema of all capabilities, as the program builds it, and what follows from it. */
export const { schema, entityNames, operations } = createSchema(capabilities);
