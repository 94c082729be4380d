import { InputSchemaDocument } from '@gengraph/client/documents';
import { useRead } from '../use-read.ts';
import type { Schema } from './schema.ts';

/** The schema of an input type. A text says why it cannot be read. Undefined until then. */
export function useSchema(input: string): Schema | string | undefined {
  const { value, problem } = useRead(InputSchemaDocument, { input });
  return problem ? problem.message : (value as Schema | undefined); // JSON Schema.
}
