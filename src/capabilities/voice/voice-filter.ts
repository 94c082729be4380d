import { RequestError } from '../../errors.ts';
import type { Graph } from '../../graphql/graph.ts';
import { digestOf, foldText, isLongerThan, lengthText } from '../../lib/text.ts';
import { maxVoicesRead } from './catalog.ts';
import { foldLanguage, foldVoice, type PresetVoice } from './wire.ts';

const maxValues = 100;
const maxLength = 200;

export function voiceFilterInput({ builder }: Graph) {
  return builder.inputType('VoiceFilter', {
    description: `Matches every given field, and any value of a list, in any case. Searches the first ${maxVoicesRead} voices.`,
    fields: (t) => ({
      languages: t.stringList({
        description: `Any of these languages, at most ${maxValues}. \`en\` also matches \`en-US\`.`,
      }),
      genders: t.stringList({
        description: `Any of these genders, as the gateway spells them, at most ${maxValues}.`,
      }),
      query: t.string({
        description: `Words that all occur in the name, description, style or tags. Up to ${maxLength} characters.`,
      }),
    }),
  });
}

export interface VoiceFilter {
  readonly languages?: readonly string[] | null | undefined;
  readonly genders?: readonly string[] | null | undefined;
  readonly query?: string | null | undefined;
}

/** A filter with its values ready to compare. */
export interface VoiceSearch {
  /** Identifies the filter in cursors. Equal for equivalent filters. */
  readonly digest: string;
  /** Whether no voice can match, because a list is empty. */
  readonly isEmpty: boolean;
  matches(voice: PresetVoice): boolean;
}

/** Undefined if the filter selects every voice. @throws RequestError LIMIT_EXCEEDED */
export function toVoiceSearch(filter: VoiceFilter): VoiceSearch | undefined {
  const languages = toValues('languages', filter.languages, foldLanguage);
  const genders = toValues('genders', filter.genders, foldText);
  const words = toWords(filter.query);
  if (!languages && !genders && words.length === 0) return undefined;
  return {
    // Sorted, so that equivalent filters are equal.
    digest: digestOf([
      JSON.stringify([languages, genders, words].map((values) => values && [...values].toSorted())),
    ]),
    isEmpty: languages?.size === 0 || genders?.size === 0,
    matches(voice) {
      const { language, gender, text } = foldVoice(voice);
      return (
        (!languages || (language !== undefined && isInLanguage(language, languages))) &&
        (!genders || (gender !== undefined && genders.has(gender))) &&
        words.every((word) => text.includes(word))
      );
    },
  };
}

function toValues(
  name: 'languages' | 'genders',
  values: readonly string[] | null | undefined,
  fold: (value: string) => string,
): ReadonlySet<string> | undefined {
  if (!values) return undefined;
  if (values.length > maxValues)
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `filter.${name} takes at most ${maxValues} values, received ${values.length}.`,
    );
  for (const value of values) checkLength(name, value);
  return new Set(values.map((value) => fold(value.trim())));
}

function toWords(query: string | null | undefined): readonly string[] {
  if (!query) return [];
  checkLength('query', query);
  return [...new Set(foldText(query).split(/\s+/))].filter((word) => word !== '');
}

function checkLength(name: keyof VoiceFilter, text: string): void {
  if (isLongerThan(text, maxLength))
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `filter.${name} takes at most ${maxLength} characters, received ${lengthText(text)}.`,
    );
}

/** Basic filtering of language tags: a range matches itself and its subtags (https://www.rfc-editor.org/rfc/rfc4647#section-3.3.1). */
function isInLanguage(language: string, ranges: ReadonlySet<string>): boolean {
  for (let end = language.length; end > 0; end = language.lastIndexOf('-', end - 1))
    if (ranges.has(language.slice(0, end))) return true;
  return false;
}
