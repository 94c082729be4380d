import { describe } from 'vitest';
import { callerLimitsConformance } from './caller-limits.conformance.ts';
import { changeConformance } from './changes.conformance.ts';
import { creationConformance } from './creations.conformance.ts';
import { expiryConformance } from './expiry.conformance.ts';
import { fileConformance } from './files.conformance.ts';
import { instanceConformance } from './instances.conformance.ts';
import { listConformance } from './lists.conformance.ts';
import { partialOutputConformance } from './partial-outputs.conformance.ts';
import { pollConformance } from './polls.conformance.ts';
import { recordConformance } from './records.conformance.ts';
import { recordLimitsConformance } from './record-limits.conformance.ts';
import { seemingDeathConformance } from './seeming-deaths.conformance.ts';
import type { StoreLocation } from './support.ts';
import { threadConformance } from './threads.conformance.ts';
import { usageConformance } from './usage.conformance.ts';
import { webhookConformance } from './webhooks.conformance.ts';

export interface Backend {
  createLocation(): Promise<StoreLocation>;
  /** Whether several instances can share the records. */
  readonly isShared: boolean;
}

/** Conformance suite for every store. */
export function storeConformance(backend: Backend): void {
  describe('records', () => {
    recordConformance(backend);
  });
  describe('creates', () => {
    creationConformance(backend);
  });
  describe('outputs of running generations', () => {
    partialOutputConformance(backend);
  });
  describe('lists', () => {
    listConformance(backend);
  });
  describe('deletion', () => {
    expiryConformance(backend);
  });
  describe('changes', () => {
    changeConformance(backend);
  });
  describe('sums of usage', () => {
    usageConformance(backend);
  });
  describe('limits of the records of an owner', () => {
    recordLimitsConformance(backend);
  });
  describe('how much an owner may spend', () => {
    callerLimitsConformance(backend);
  });
  describe('conversations', () => {
    threadConformance(backend);
  });
  describe('files', () => {
    fileConformance(backend);
  });
  describe('webhooks', () => {
    webhookConformance(backend);
  });
  // SQLite records have only one instance.
  if (!backend.isShared) return;
  describe('instances that share records', () => {
    instanceConformance(backend);
  });
  describe('instances that seemed dead', () => {
    seemingDeathConformance(backend);
  });
  describe('shared polls', () => {
    pollConformance(backend);
  });
}
