import type { Services } from './http/routes.ts';

/** What a family remembers between requests: made once for each running sandbox, on first use. */
export function perSandbox<Value extends object>(
  create: (services: Services) => Value,
): (services: Services) => Value {
  const values = new WeakMap<Services, Value>();
  return (services) => {
    const known = values.get(services);
    if (known) return known;
    const value = create(services);
    values.set(services, value);
    return value;
  };
}
