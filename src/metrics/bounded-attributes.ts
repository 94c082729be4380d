import type { Attributes } from './metrics.ts';

/** Most values of attributes that clients or gateways choose. Each value takes memory here and at every receiver. */
const maxValues: Readonly<Record<string, number>> = {
  'graphql.operation.name': 200,
  'gen_ai.request.model': 100,
  'url.template': 100,
};
const maxChars = 100;

/** Stands for all values beyond the limit, as in OpenTelemetry. */
export const otherValue = '_OTHER';

/** Replaces new values of an attribute when it has as many as allowed. */
export function createAttributeLimits(): (attributes: Attributes) => Record<string, string | number> {
  const known = new Map<string, Set<string>>();
  const limit = (name: string, value: string): string => {
    const max = maxValues[name];
    if (max === undefined) return value;
    const values = known.get(name) ?? new Set();
    known.set(name, values);
    if (values.has(value)) return value;
    if (values.size >= max || value.length > maxChars) return otherValue;
    values.add(value);
    return value;
  };
  return (attributes) => {
    const limited: Record<string, string | number> = {};
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined) limited[name] = typeof value === 'string' ? limit(name, value) : value;
    return limited;
  };
}
