import type { Generation, GenerationPatch, GenerationSummary } from '../../records.ts';
import type { ClaimOptions, Settlement } from '../../store.ts';
import type { CreationRow } from '../basics/tables.ts';
import type { WrittenContents } from '../contents/written-contents.ts';

interface QuickClaimOptions extends Pick<ClaimOptions, 'deadline'> {
  readonly contents: WrittenContents;
}

/**
 * The usual writes of a create and its chat, each in one statement, for an engine whose statements cost a round trip. Each
 * writes everything or nothing. If it writes nothing, the caller runs the transaction, which handles every case.
 */
export interface QuickWrites {
  /** For an owner without limits of what it may spend. Returns false if another creation may hold the key, the lease has expired, or the owner has little room. */
  claim(creation: CreationRow, generation: Generation, options: QuickClaimOptions): Promise<boolean>;
  /** Makes the generation of an accepted create visible. */
  settle(creationId: string, settlement: Settlement): Promise<GenerationSummary | undefined>;
  /** Ends a visible generation that has not ended. */
  end(id: string, end: GenerationPatch, contents: WrittenContents): Promise<GenerationSummary | undefined>;
}
