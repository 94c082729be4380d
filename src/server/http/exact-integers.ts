import type { Plugin } from 'graphql-yoga';
import { asRecord, isRecord, parseRequestJson } from '../../lib/json.ts';

/** Parses JSON bodies, and the variables of a GET, exactly. Yoga would use JSON.parse, which rounds integers beyond ±2^53. */
export function useExactIntegers(): Plugin<object, { readonly readJson: () => unknown }> {
  return {
    onRequestParse({ requestParser, setRequestParser, serverContext: { readJson } }) {
      if (!requestParser) return;
      setRequestParser(async (request) => {
        // The parser of JSON bodies reads the body with this method.
        request.json = async () => readJson();
        const params = await requestParser(request);
        const text = request.method === 'GET' && new URL(request.url).searchParams.get('variables');
        if (text && 'variables' in params && isRecord(params.variables))
          params.variables = { ...asRecord(parseRequestJson(text)) };
        return params;
      });
    },
  };
}
