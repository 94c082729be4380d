import { type Admission, createAdmission, type Permit } from '../../src/server/admission/admission.ts';
import { type AdmissionLimits } from '../../src/server/admission/admission-path.ts';
import { noLimits } from '../../src/lib/fairness/fair-queue.ts';
import { createReceivedBytes, type ReceivedBytes } from '../../src/server/admission/received-bytes.ts';
import { createSystemClock } from '../../src/lib/clock.ts';

export const unlimited: AdmissionLimits = {
  socket: noLimits,
  owner: noLimits,
  account: noLimits,
  accepted: noLimits,
  address: noLimits,
  anonymous: noLimits,
};

/** Admits everything in turns. */
export function openAdmission(): Admission {
  return createAdmission({
    limits: unlimited,
    acceptedCallers: { has: () => true },
    clock: createSystemClock(),
  });
}

export const freePermit: Permit = {
  admitted: undefined,
  countAnswer: () => {},
  reserveOpen: () => {},
  settle: () => {},
  release: () => {},
};

export function anyBytes(): ReceivedBytes {
  return createReceivedBytes({
    maxTotalBytes: Infinity,
    maxBodyBytes: Infinity,
    maxAnonymousBodyBytes: Infinity,
    acceptedCallers: { has: () => true },
  });
}
