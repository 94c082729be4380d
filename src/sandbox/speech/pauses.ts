/** Texts, and between two of them a pause in seconds. */
export type SpeechParts = readonly (string | number)[];

const marker = /<#([^<>#]*)#>/;
const seconds = /^\d{1,2}(\.\d{1,2})?$/;

/** Splits a text at its pause markers `<#x#>`, or explains the first invalid marker. */
export function parsePauses(text: string): { readonly parts: SpeechParts } | { readonly problem: string } {
  // Texts at even indexes, the contents of markers at odd ones.
  const pieces = text.split(marker);
  if (pieces.length === 1) return { parts: [text] };
  const parts: (string | number)[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) {
      if (!isVoiced(piece)) return { problem: 'a pause marker must stand between two voiced texts' };
      parts.push(piece);
    } else {
      if (!seconds.test(piece) || Number(piece) < 0.01) {
        return {
          problem: `pause marker <#${piece}#>: expected 0.01 to 99.99 seconds with at most two decimals`,
        };
      }
      parts.push(Number(piece));
    }
  }
  return { parts };
}

function isVoiced(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
