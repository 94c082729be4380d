import type { Services } from './http/routes.ts';

/** State that a family keeps between requests: created once for each running sandbox, on first use. */
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
