import type { Handler, Route } from './routes.ts';

/** `[method, path, the module's handler, the kind whose status it is]` */
type RouteEntry<Module> = readonly [Route['method'], string, keyof Module, statusOf?: string];

/** Routes to the handlers of one module, which the first request to any of them loads. */
export function lazyRoutes<Module extends Readonly<Record<string, Handler>>>(
  load: () => Promise<Module>,
  entries: readonly RouteEntry<Module>[],
): readonly Route[] {
  return entries.map(([method, path, name, statusOf]) => ({
    method,
    path,
    statusOf,
    load: async () => (await load())[name],
  }));
}
