import { accountOf, type AcceptedCallers } from '../../gateway/accepted-callers.ts';
import type { Caller } from '../../gateway/caller.ts';
import { type GroupLimits, noLimits, type PathStep } from '../../lib/fairness/fair-queue.ts';

/** Where an operation comes from. */
export interface OperationSource {
  /** Undefined without a credential. */
  readonly caller: Caller | undefined;
  /** The client's network address. */
  readonly address: string;
  /** Id of the WebSocket. Undefined over HTTP. */
  readonly socketId?: string | undefined;
}

export interface AdmissionLimits {
  readonly socket: GroupLimits;
  readonly owner: GroupLimits;
  /** All end users of one credential. */
  readonly account: GroupLimits;
  /** All accounts that the gateway has accepted. */
  readonly accepted: GroupLimits;
  /** All callers at one address whose credential the gateway has not accepted. */
  readonly address: GroupLimits;
  /** All callers whose credential the gateway has not accepted. */
  readonly anonymous: GroupLimits;
}

/** Callers that the gateway has accepted take turns by account and end user, all others by address. */
export function pathOf(
  { caller, address, socketId }: OperationSource,
  limits: AdmissionLimits,
  acceptedCallers: Pick<AcceptedCallers, 'has'>,
): readonly PathStep[] {
  const isAccepted = caller !== undefined && acceptedCallers.has(caller);
  const top = isAccepted
    ? [
        { key: 'accepted', limits: limits.accepted },
        { key: accountOf(caller), limits: limits.account },
      ]
    : [
        { key: 'anonymous', limits: limits.anonymous },
        { key: address, limits: limits.address },
      ];
  const owner = { key: caller?.owner ?? '', limits: limits.owner };
  const connection =
    socketId === undefined ? { key: 'http', limits: limits.owner } : { key: socketId, limits: limits.socket };
  return [...top, owner, connection];
}

/** Operations whose caller is being identified. As many wait as of callers that the gateway has not accepted. */
export function pathOfUnidentified(
  { address, socketId }: Omit<OperationSource, 'caller'>,
  limits: AdmissionLimits,
): readonly PathStep[] {
  return [
    { key: 'operations', limits: limits.anonymous },
    { key: address, limits: limits.address },
    { key: socketId ?? 'http', limits: socketId === undefined ? noLimits : limits.socket },
  ];
}

/** Identifies the account, or the address of a caller that the gateway has not accepted. */
export function accountOrAddress(
  { caller, address }: OperationSource,
  acceptedCallers: Pick<AcceptedCallers, 'has'>,
): string {
  return caller && acceptedCallers.has(caller) ? `account ${accountOf(caller)}` : `address ${address}`;
}

/** Identifies who uses memory and bandwidth: the owner, or the address of a caller that the gateway has not accepted. */
export function ownerOrAddress(
  { caller, address }: OperationSource,
  acceptedCallers: Pick<AcceptedCallers, 'has'>,
): string {
  return caller && acceptedCallers.has(caller) ? `owner ${caller.owner}` : `address ${address}`;
}

export interface OperationSettings {
  readonly MAX_OPERATIONS_PER_OWNER: number;
  readonly MAX_OPERATIONS_PER_SOCKET: number;
  readonly MAX_OPERATIONS_PER_ADDRESS: number;
  readonly MAX_OPEN_PER_OWNER: number;
  readonly MAX_OPEN_PER_SOCKET: number;
  readonly MAX_OPEN_PER_ADDRESS: number;
}

/** Waiting operations for each that may run. At least as many wait as may be open: clients reconnect all at once. */
const waitingFactor = 4;
/** All end users of one credential together. */
const accountFactor = 4;
/** All accounts together. */
const acceptedFactor = 5;
/** All addresses together, of callers that the gateway has not accepted. */
const anonymousFactor = 4;

export function toAdmissionLimits(settings: OperationSettings): AdmissionLimits {
  const of = (noun: 'OWNER' | 'SOCKET' | 'ADDRESS', factor = 1): GroupLimits => {
    const operations = `MAX_OPERATIONS_PER_${noun}` as const;
    const openings = `MAX_OPEN_PER_${noun}` as const;
    const running = factor * settings[operations];
    const open = factor * settings[openings];
    const waiting = Math.max(waitingFactor * running, open);
    const names = { running: operations, waiting: waiting > open ? operations : openings, open: openings };
    return { running, waiting, open, settings: names };
  };
  const owner = of('OWNER');
  return {
    socket: of('SOCKET'),
    owner,
    account: of('OWNER', accountFactor),
    accepted: { ...owner, running: Infinity, waiting: acceptedFactor * owner.waiting, open: Infinity },
    address: of('ADDRESS'),
    anonymous: of('ADDRESS', anonymousFactor),
  };
}
