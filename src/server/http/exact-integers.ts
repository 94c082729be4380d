import type { Plugin } from 'graphql-yoga';
import { isRecord, parseRequestJson } from '../../lib/json.ts';

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
        if (!text || Array.isArray(params)) return params;
        const variables: unknown = parseRequestJson(text);
        return isRecord(variables) ? Object.assign(params, { variables }) : params;
      });
    },
  };
}
