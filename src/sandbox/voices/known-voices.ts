import type { Token } from '../access/tokens.ts';
import { perSandbox } from '../per-sandbox.ts';
import { createDice } from '../random.ts';
import { presetVoices, type PresetVoice } from './catalogue.ts';

/** A voice that can speak. */
export interface KnownVoice {
  readonly id: string;
  /** Its middle pitch. */
  readonly hertz: number;
}

/** The voices of the catalogue and the cloned ones. */
export interface KnownVoices {
  /** All tokens share one space of ids. */
  isTaken(id: string): boolean;
  /** Finds a cloned voice only for the token that cloned it. */
  find(token: Token, id: string): KnownVoice | undefined;
  /** Undefined if there are too many clones. */
  addClone(token: Token, id: string): KnownVoice | undefined;
}

const maxClones = 100_000;

export const getKnownVoices = perSandbox((): KnownVoices => {
  const presets = new Map<string, KnownVoice>(
    presetVoices.map((voice) => [voice.id, { id: voice.id, hertz: hertzOf(voice) }]),
  );
  const clones = new Map<string, KnownVoice & { readonly ownerKey: string }>();
  return {
    isTaken: (id) => presets.has(id) || clones.has(id),
    find(token, id) {
      const clone = clones.get(id);
      return clone?.ownerKey === token.key ? clone : presets.get(id);
    },
    addClone(token, id) {
      if (clones.size >= maxClones) return undefined;
      const voice = { id, hertz: createDice(`voice ${id}`).between(95, 235), ownerKey: token.key };
      clones.set(id, voice);
      return voice;
    },
  };
});

function hertzOf({ gender, number }: PresetVoice): number {
  return { female: 200, male: 105, neutral: 155 }[gender] * 2 ** (((number * 5) % 7) / 24);
}
