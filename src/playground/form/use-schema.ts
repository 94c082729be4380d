import { useEffect, useState } from 'react';
import { gengraph } from '../gengraph.ts';
import type { Schema } from './schema.ts';

const query = 'query InputSchema($input: String!) { inputSchema(input: $input) }';

/** The schema of an input type. A text says why it cannot be read. Undefined until then. */
export function useSchema(type: string): Schema | string | undefined {
  const [schema, setSchema] = useState<Schema | string>();
  useEffect(() => {
    let isLeft = false;
    void gengraph.run<Schema>({ query, variables: { input: type } }).then(({ problem, value }) => {
      if (!isLeft) setSchema(problem ? problem.message : value);
    });
    return () => {
      isLeft = true;
    };
  }, [type]);
  return schema;
}
