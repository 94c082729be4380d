import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isRecord } from '../../lib/json.ts';

/**
 * Parses a JSON body exactly, and refuses integers beyond ±2^53 in the variables of a GET. Yoga would parse both with
 * JSON.parse, which rounds such integers.
 */
export function useExactIntegers(): Plugin<object, { readonly readJson: () => unknown }> {
  return {
    onRequestParse({ requestParser, setRequestParser, serverContext: { readJson } }) {
      if (!requestParser) return;
      setRequestParser(async (request) => {
        let isExact = false;
        // The parser of JSON bodies reads the body with this method. The parser of URLs does not call it.
        request.json = async () => {
          isExact = true;
          return readJson();
        };
        const params = await requestParser(request);
        if (!isExact && 'variables' in params) refuseRounded(params.variables, 'variables');
        return params;
      });
    },
  };
}

function refuseRounded(value: unknown, path: string): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new GraphQLError(
      `${path}: an integer beyond ±(2^53 − 1) loses digits here. Send the variables in a JSON body by POST.`,
      { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
    );
  }
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) refuseRounded(item, `${path}.${index}`);
  else if (isRecord(value))
    for (const [name, member] of Object.entries(value)) refuseRounded(member, `${path}.${name}`);
}
