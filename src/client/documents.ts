export * from './documents.generated.ts';
export { introspection, possibleTypes } from './cache-schema.generated.ts';
