import { LostReplyError, NotFoundError } from '../../errors.ts';
import { type CreateCall, type CreateSubject, runCreate } from '../../generations/create.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import { shownOnceField } from '../../graphql/limit-answers.ts';
import { createArguments, toCreateCall } from '../../graphql/create.ts';
import { createErrors } from '../../graphql/errors.ts';
import { randomId } from '../../lib/ids.ts';
import type { Json } from '../../lib/json.ts';
import type { AccessToken } from '../../store/records.ts';
import { accessTokenRef } from './access-token.ts';
import { tokenRequest, toUnits } from './client.ts';
import { type CreateAccessTokenInput, createAccessTokenInput } from './inputs.ts';
import { createAccessTokenLimits } from './limits.ts';
import { withSystemToken } from './system-token.ts';
import { decodeTokenReply, hasSecret } from './wire.ts';

interface CreatedAccessToken {
  readonly accessToken: AccessToken;
  /** Present only in the reply to the create, like `raw`: they are not recorded. */
  readonly key: string | undefined;
  readonly raw: Json | undefined;
}

function createdAccessTokenRef({ builder, use }: Graph) {
  return builder.objectRef<CreatedAccessToken>('CreatedAccessToken').implement({
    description: 'A new access token.',
    fields: (t) => ({
      accessToken: t.expose('accessToken', {
        type: use(accessTokenRef),
        description: 'The token, without its secret.',
      }),
      key: t.exposeString('key', {
        ...shownOnceField,
        ...nullable(
          'The secret, to use as API key. Never stored. Null in a replay, or if not recognized: see `raw`.',
        ),
      }),
      raw: t.expose('raw', {
        type: 'JSON',
        ...nullable("The gateway's reply without the recognized secret. Null in a replay."),
      }),
    }),
  });
}

function createAccessTokenResultRef({ builder, use }: Graph) {
  return builder.errorUnion('CreateAccessTokenResult', {
    description: 'The new token, or an error.',
    types: [use(createdAccessTokenRef), ...createErrors],
    resolveType: () => 'CreatedAccessToken',
  });
}

export function addCreateAccessToken(graph: Graph): void {
  const { builder, use } = graph;
  builder.mutationField('createAccessToken', (t) =>
    t.field({
      type: use(createAccessTokenResultRef),
      nullable: true,
      description: 'Creates an access token.',
      args: {
        input: t.arg({ type: use(createAccessTokenInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createAccessToken(toCreateCall(args, context, info), input),
    }),
  );
}

async function createAccessToken(
  received: CreateCall,
  input: CreateAccessTokenInput,
): Promise<CreatedAccessToken> {
  const call = { ...received, caller: withSystemToken(received.caller) };
  const { engine, caller, collection } = call;
  const now = engine.clock.now();
  const name = input.name.trim();
  const spec = {
    ...tokenRequest,
    input,
    limits: createAccessTokenLimits(now),
    hasSecret: (reply: Json) => hasSecret(reply, name),
  };
  return runCreate(call, spec, (request): CreateSubject<CreatedAccessToken> => {
    const id = randomId('token');
    const token = toAccessToken(input, { id, owner: caller.owner, createdAt: now, collection });
    return {
      subjectId: id,
      async run(claim) {
        const reply = decodeTokenReply(await engine.gateway.create(request), token.name);
        // The error must not contain the reply: it may contain the secret, and errors are logged.
        if (!reply)
          throw new LostReplyError('it neither confirms the token nor has its secret', {
            problem: 'incomplete',
          });
        await claim.settle({ accessToken: token });
        return { accessToken: token, ...reply };
      },
      async replay(recordedId) {
        const [recorded] = await engine.store.findAccessTokens(caller.owner, [recordedId]);
        if (recorded) return { accessToken: recorded, key: undefined, raw: undefined };
        throw new NotFoundError(
          'The record of the token that this idempotency key created was deleted. Nothing was sent. To create another token, use a new key.',
        );
      },
      isShownOnce: ({ raw }) => raw !== undefined,
    };
  });
}

function toAccessToken(
  input: CreateAccessTokenInput,
  record: Pick<AccessToken, 'id' | 'owner' | 'createdAt' | 'collection'>,
): AccessToken {
  return {
    ...record,
    name: input.name.trim(),
    quotaUnits: input.quota.isUnlimited ? undefined : toUnits(input.quota),
    expiresAt:
      input.expiresAt === null || input.expiresAt === undefined
        ? undefined
        : Math.floor(input.expiresAt / 1000) * 1000,
    modelLimits: input.allowedModels ?? undefined,
    allowIps: input.allowedIps ?? [],
    groups: input.groups ?? [],
  };
}
