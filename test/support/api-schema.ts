import { capabilities } from '../../src/capabilities/index.ts';
import { createSchema } from '../../src/schema.ts';

/** The schema of all capabilities, as the program builds it, and what follows from it. Built once for all servers of a worker. */
export const apiSchema = createSchema(capabilities);
export const { schema, entityNames, operations } = apiSchema;
