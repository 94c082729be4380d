import type { Token } from '../access/tokens.ts';
import { perSandbox } from '../per-sandbox.ts';
import { createDice } from '../random.ts';
import { presetVoices, type PresetVoice } from './catalogue.ts';

/** A voice as far as it can be heard. */
export interface KnownVoice {
  readonly id: string;
  /** Its middle pitch. */
  readonly hertz: number;
}

/** Every voice that can speak: those of the catalogue, and those that were cloned. */
export interface KnownVoices {
  /** Ids are one space for all: a voice that somebody has is not to be had again. */
  isTaken(id: string): boolean;
  /** A cloned voice speaks for the token that cloned it. */
  find(token: Token, id: string): KnownVoice | undefined;
  /** Undefined where there are too many already. */
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
  const base = gender === 'female' ? 200 : gender === 'male' ? 105 : 155;
  return base * 2 ** (((number * 5) % 7) / 24);
}
