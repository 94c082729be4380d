import catalogue from './catalogue.json' with { type: 'json' };

/** A voice of the preset catalogue. */
export interface PresetVoice {
  /** Position in the catalogue, from 0. */
  readonly number: number;
  readonly id: string;
  readonly taskId: string;
  readonly name: string;
  readonly language: string;
  readonly gender: 'female' | 'male' | 'neutral';
  readonly style: string;
  readonly createdAtMs: number;
}

const genders = ['female', 'male', 'neutral'] as const;
const firstCreatedAtMs = Date.UTC(2025, 2, 3, 9);

/** Every preset voice, in catalogue order. */
export const presetVoices: readonly PresetVoice[] = Object.entries(catalogue.names)
  .flatMap(([language, names]: [string, Readonly<Record<string, string>>]) =>
    genders.flatMap((gender) =>
      (names[gender]?.split(' ') ?? []).map((name) => ({ language, gender, name })),
    ),
  )
  .map(({ language, gender, name }, number) => ({
    number,
    id: `${language}-${name}`.toLowerCase(),
    taskId: String(7_301_000_000_000 + number * 104_729),
    name,
    language,
    gender,
    style: catalogue.styles[(number * 7) % catalogue.styles.length] ?? '',
    createdAtMs: firstCreatedAtMs + number * 3_600_000,
  }));
