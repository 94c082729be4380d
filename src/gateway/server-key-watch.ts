import type { ExpectedError } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Caller } from './caller.ts';

/** What a request to the gateway is for. A read may be retried, a create may not. Independent of the HTTP method. */
export type Purpose = 'read' | 'create';

export interface KeyRefusal {
  readonly purpose: Purpose;
  readonly status: number;
  readonly error: ExpectedError;
  /** What the gateway said, without the key. */
  readonly reason: string;
}

/** Notices when the gateway refuses the credentials of the server: all its users are without service then. */
export interface ServerKeyWatch {
  refused(caller: Caller, refusal: KeyRefusal): void;
  accepted(caller: Caller, purpose: Purpose): void;
  /** Credentials that the gateway refuses now. */
  readonly refusedKeys: number;
  /** The credentials were replaced. */
  reset(): void;
}

interface KeyState {
  /** Refusals since the last accepted request. */
  refusals: number;
  /** What the gateway refuses. A key that reads are accepted with may still be refused for creates. */
  refusedFor: Purpose | undefined;
}

/** Only 401 always means the key. Other refusals may concern one model or one large request. */
const minRefusals = 3;

export function createServerKeyWatch({
  log,
  metrics,
}: {
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Metrics | undefined;
}): ServerKeyWatch {
  const states = new Map<string, KeyState>();
  return {
    refused(caller, { purpose, status, error, reason }) {
      const setting = settingOf(caller);
      if (setting === undefined) return;
      metrics?.add('gengraph.server_key.refusals');
      const state = states.get(setting) ?? { refusals: 0, refusedFor: undefined };
      states.set(setting, state);
      state.refusals += 1;
      if (status !== 401 && state.refusals < minRefusals) return;
      if (state.refusedFor === undefined) {
        const upstreamCode = 'upstreamCode' in error ? error.upstreamCode : undefined;
        log.warn(
          { setting, code: error.code, status, upstreamCode, reason },
          'the gateway refuses the key of this server: creates fail for all its users; replace the key',
        );
      }
      if (state.refusedFor !== 'create') state.refusedFor = purpose;
    },
    accepted(caller, purpose) {
      if (states.size === 0) return;
      const setting = settingOf(caller);
      const state = setting === undefined ? undefined : states.get(setting);
      if (setting === undefined || !state || (purpose === 'read' && state.refusedFor === 'create')) return;
      states.delete(setting);
      if (state.refusedFor !== undefined)
        log.warn({ setting, refusals: state.refusals }, 'the gateway accepts the key of this server again');
    },
    get refusedKeys() {
      return [...states.values()].filter(({ refusedFor }) => refusedFor !== undefined).length;
    },
    reset: () => states.clear(),
  };
}

/** The setting of the credential that a request was sent with. Undefined if it is not one of the server, or no longer. */
function settingOf({ heldKey, credential, userId }: Caller): string | undefined {
  if (!heldKey) return undefined;
  if (userId === undefined) return credential === heldKey.apiKey ? 'GATEWAY_API_KEY' : undefined;
  return credential === heldKey.system?.token ? 'GATEWAY_SYSTEM_TOKEN' : undefined;
}
