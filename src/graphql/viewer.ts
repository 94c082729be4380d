import type { LimitUse } from '../errors.ts';
import { type Context, requireCaller } from './context.ts';
import { limitNameEnum } from './errors.ts';
import { generationKindEnum } from './generation.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';

function viewerLimitRef({ builder, use, kinds }: Graph) {
  return builder.objectRef<LimitUse>('ViewerLimit').implement({
    description: 'A limit of the caller. A create beyond it is a `RateLimitError`.',
    fields: (t) => ({
      name: t.expose('limit', { type: use(limitNameEnum) }),
      kind: t.field({
        type: use(generationKindEnum),
        ...nullable('Null for all kinds together.'),
        resolve: ({ kind }) => (kind !== undefined && kinds.has(kind) ? kind : null),
      }),
      max: t.expose('max', { type: 'BigInt', description: 'The limit.' }),
      used: t.expose('used', {
        type: 'BigInt',
        description: 'May exceed `max`.',
      }),
      resetsAt: t.expose('resetsAt', { type: 'DateTime', ...nullable('Null for RUNNING.') }),
    }),
  });
}

interface Viewer {
  readonly owner: string;
  readonly limits: readonly LimitUse[];
  readonly scopes: readonly string[];
}

function viewerRef({ builder, use }: Graph) {
  return builder.objectRef<Viewer>('Viewer').implement({
    description: 'The caller.',
    fields: (t) => ({
      owner: t.exposeID('owner', {
        description: 'Hash, as in the log.',
      }),
      limits: t.expose('limits', { type: [use(viewerLimitRef)], description: 'Empty if there are none.' }),
      scopes: t.exposeStringList('scopes', {
        description: 'Of the token.',
      }),
    }),
  });
}

export function addViewer({ builder, use }: Graph): void {
  builder.queryField('viewer', (t) =>
    t.field({
      type: use(viewerRef),
      nullable: true,
      description: 'The caller, its limits and their use.',
      resolve: (_root, _args, context) => findViewer(context),
    }),
  );
}

/** @throws RequestError UNAUTHENTICATED */
async function findViewer(context: Context): Promise<Viewer> {
  const { owner, token } = requireCaller(context);
  return {
    owner,
    limits: await context.loaders.limitUses,
    scopes: [...(token?.scopes ?? [])].toSorted(),
  };
}
