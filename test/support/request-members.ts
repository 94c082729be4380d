import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { isRecord } from '../../src/lib/json.ts';
import { schema } from './api-schema.ts';
import type { RequestMembers } from '../capabilities/members/request-members.ts';
import { type RecordedRequest, startRecorded } from './recording-gateway.ts';

type RootKind = 'query' | 'mutation' | 'subscription';

/** Runs all operations of a request and returns the HTTP requests that the gateway received at its path. */
export async function sendAll(
  request: RequestMembers,
  headers: Readonly<Record<string, string>>,
): Promise<readonly RecordedRequest[]> {
  const root = findRootField(request.field);
  if (!root) return [];
  await using recorded = await startRecorded();
  const { app, gateway } = recorded;
  gateway.answer({ body: request.reply ?? {} });
  for (const given of request.calls) {
    const query = operationOf(root, given, request.selection);
    if (root.kind === 'subscription') {
      const client = app.wsClient({ connectionParams: headers });
      for await (const _event of client.iterate({ query, variables: { ...given } }));
    } else {
      const { errors } = await app.run(query, given, { headers });
      if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    }
  }
  return gateway.requests.filter(
    ({ method, path }) => method === request.method && matchPath(request.path, path.split('?')[0] ?? ''),
  );
}

/** Finds a root field in any root type. Undefined when the schema has none of this name. */
export function findRootField(
  name: string,
): { readonly kind: RootKind; readonly field: GraphQLField<unknown, unknown> } | undefined {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  for (const [kind, type] of roots) {
    const field = type?.getFields()[name];
    if (field) return { kind, field };
  }
  return undefined;
}

/** An operation with one root field that passes its arguments as variables. */
export function operationOf(
  { kind, field }: { readonly kind: RootKind; readonly field: GraphQLField<unknown, unknown> },
  given: Readonly<Record<string, unknown>>,
  selection = '__typename',
): string {
  const args = field.args.filter(({ name }) => Object.hasOwn(given, name));
  const variables = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${kind} (${variables}) { ${field.name}(${passed}) { ${selection} } }`;
}

/** The argument or input member at a path like `input.messages[].role`. Undefined when there is none. */
export function findMember(
  field: GraphQLField<unknown, unknown>,
  place: string,
): GraphQLArgument | GraphQLInputField | undefined {
  const [first = '', ...rest] = place.split('.');
  let member: GraphQLArgument | GraphQLInputField | undefined = field.args.find(
    ({ name }) => name === first.replace('[]', ''),
  );
  let type = member && itemType(member.type, first);
  for (const step of rest) {
    if (!type || !isInputObjectType(type)) return undefined;
    member = type.getFields()[step.replace('[]', '')];
    type = member && itemType(member.type, step);
  }
  return type && member;
}

/** The type of a path step. Undefined when a step with brackets does not match a list. */
function itemType(type: GraphQLInputType, step: string): GraphQLInputType | undefined {
  if (isNonNullType(type)) return itemType(type.ofType, step);
  if (!step.endsWith('[]')) return type;
  return isListType(type) ? itemType(type.ofType, step.slice(0, -2)) : undefined;
}

/** The paths of all members of an HTTP request, in the notation of {@link RequestMembers}. */
export function memberPathsOf(
  request: RecordedRequest,
  { path: template, members }: RequestMembers,
): ReadonlySet<string> {
  const places = new Set<string>();
  const isOpen = (place: string): boolean =>
    Object.keys(members).some((listed) => listed.startsWith(`${place}.`) || listed.startsWith(`${place}[]`));
  const walk = (value: unknown, place: string): void => {
    if (Array.isArray(value)) for (const item of value as readonly unknown[]) walk(item, `${place}[]`);
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const inner = place === '' ? name : `${place}.${name}`;
      places.add(inner);
      if (isOpen(inner)) walk(member, inner);
    }
  };
  walk(request.body, '');
  const [path = '', query = ''] = request.path.split('?');
  for (const name of Object.keys(matchPath(template, path) ?? {})) places.add(`path:${name}`);
  for (const name of new URLSearchParams(query).keys()) places.add(`query:${name}`);
  for (const name of Object.keys(members)) {
    if (name.startsWith('header:') && request.headers[name.slice(7)] !== undefined) places.add(name);
  }
  return places;
}

/** The members in a path that matches the template. Undefined when it does not match. */
function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const groups = new RegExp(`^${pattern}$`).exec(path)?.groups;
  return groups ?? (path === template ? {} : undefined);
}
