import { describe } from 'vitest';
import { creationConformance } from './creations.conformance.ts';
import { expiryConformance } from './expiry.conformance.ts';
import { instanceConformance } from './instances.conformance.ts';
import { listConformance } from './lists.conformance.ts';
import { recordConformance } from './records.conformance.ts';
import type { Place } from './support.ts';

export interface Backend {
  createPlace(): Promise<Place>;
  /** Whether several instances can share a place. */
  readonly isShared: boolean;
}

/** What every store keeps to, whatever engine it stands on. */
export function storeConformance(backend: Backend): void {
  describe('records', () => {
    recordConformance(backend);
  });
  describe('creates', () => {
    creationConformance(backend);
  });
  describe('lists', () => {
    listConformance(backend);
  });
  describe('what has expired or is forgotten', () => {
    expiryConformance(backend);
  });
  // Records that end with their process have one instance only.
  if (!backend.isShared) return;
  describe('instances that share records', () => {
    instanceConformance(backend);
  });
}
