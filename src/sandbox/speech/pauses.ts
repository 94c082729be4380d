/** What is to be spoken: texts, and between two of them a pause in seconds. */
export type SpeechParts = readonly (string | number)[];

const marker = /<#([^<>#]*)#>/;
const seconds = /^\d{1,2}(\.\d{1,2})?$/;

/** Takes a text apart at its pause markers `<#x#>`; what is wrong with one is said instead. */
export function parsePauses(text: string): { readonly parts: SpeechParts } | { readonly problem: string } {
  // Texts at even places, what stood in the markers between them.
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
