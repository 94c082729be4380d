const fonts = 'DejaVu Sans, Noto Sans, Liberation Sans, Arial, sans-serif';
const maxLines = 3;
/** More than three lines hold. A film has a caption in each of its frames. */
const maxLength = 10_000;

/** The words of a prompt along the lower edge of a picture, as SVG. */
export function drawCaption(text: string, width: number, height: number): string {
  const size = Math.round(Math.min(width, height) * 0.048);
  const words = clean(text.slice(0, maxLength));
  if (size < 6 || words === '') return '';
  // Chinese, Japanese and Korean characters are nearly twice as wide.
  const characterWidth = size * (/[\u2E80-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]/.test(words) ? 1.02 : 0.58);
  const lines = wrap(words, Math.max(1, Math.floor((width - 2 * size) / characterWidth)));
  const boxHeight = lines.length * size * 1.3 + size;
  const top = height - boxHeight + size * 1.4;
  const spans = lines.map(
    (line, index) =>
      `<text x="${size}" y="${Math.round(top + size * index * 1.3)}">${escapeXml(line)}</text>`,
  );
  return (
    `<rect x="0" y="${Math.round(height - boxHeight)}" width="${width}" height="${Math.ceil(boxHeight)}" fill="#000" fill-opacity="0.38"/>` +
    `<g font-family="${fonts}" font-size="${size}" fill="#fff">${spans.join('')}</g>`
  );
}

/** A plate at the lower right of a generated picture, as an SVG document with a margin to the right and below. */
export function drawWatermark(width: number, height: number): Buffer {
  const size = Math.max(10, Math.round(Math.min(width, height) * 0.03));
  const plate = { width: Math.round(size * 8.6), height: Math.round(size * 1.9) };
  const margin = Math.round(size * 0.7);
  const middle = `x="${plate.width / 2}" y="${Math.round(size * 1.3)}" text-anchor="middle"`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${plate.width + margin}" height="${plate.height + margin}">` +
      `<rect width="${plate.width}" height="${plate.height}" rx="${Math.round(size * 0.4)}" fill="#fff" fill-opacity="0.88"/>` +
      `<text ${middle} font-family="${fonts}" font-size="${size}" fill="#222">AI generated</text></svg>`,
  );
}

/** Removes the characters that XML does not allow. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF\s]+/gu, ' ')
    .trim();
}

/** At most three lines, broken at spaces where there are any. An ellipsis ends a text that does not fit. */
function wrap(text: string, columns: number): readonly string[] {
  const line = new RegExp(`\\S.{0,${columns - 1}}(?= |$)|\\S.{0,${columns - 1}}`, 'gu');
  const lines = text.match(line) ?? [];
  const shown = lines.slice(0, maxLines);
  if (lines.length > maxLines)
    shown.push(
      `${Array.from(shown.pop() ?? '')
        .slice(0, columns - 1)
        .join('')}…`,
    );
  return shown;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
