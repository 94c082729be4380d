/** The words of a prompt along the lower edge of a picture, as SVG. */
export function drawCaption(text: string, width: number, height: number): string {
  const size = Math.round(Math.min(width, height) * 0.048);
  if (size < 6) return '';
  const margin = size;
  const lines = wrap(clean(text), Math.floor((width - 2 * margin) / (size * 0.58)), 3);
  if (lines.length === 0) return '';
  const boxHeight = lines.length * size * 1.3 + margin;
  const spans = lines.map(
    (line, index) =>
      `<text x="${margin}" y="${Math.round(height - boxHeight + margin * 0.4 + size * (1 + index * 1.3))}">${escapeXml(line)}</text>`,
  );
  return (
    `<rect x="0" y="${Math.round(height - boxHeight)}" width="${width}" height="${Math.ceil(boxHeight)}" fill="#000" fill-opacity="0.38"/>` +
    `<g font-family="DejaVu Sans, Noto Sans, Liberation Sans, Arial, sans-serif" font-size="${size}" fill="#fff">${spans.join('')}</g>`
  );
}

/** Without what XML does not allow. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF\s]+/gu, ' ')
    .trim();
}

/** Lines of at most so many columns; a wide character takes nearly two. What does not fit ends in an ellipsis. */
function wrap(text: string, columns: number, maxLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  // Chinese and Japanese break anywhere, other scripts at spaces.
  for (const word of text.match(
    /[\u2E80-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]|[^\s\u2E80-\u9FFF\uAC00-\uD7AF\uFF00-\uFFEF]+\s?|\s/gu,
  ) ?? []) {
    if (line !== '' && columnsOf(line + word.trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
  }
  if (line.trim() !== '') lines.push(line.trimEnd());
  const fitting = lines.slice(0, maxLines).map((each) => shorten(each, columns));
  const last = fitting.at(-1);
  if (lines.length > maxLines && last !== undefined) {
    fitting[maxLines - 1] = `${shorten(last, columns - 1).replace(/…$/, '')}…`;
  }
  return fitting;
}

function shorten(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  let short = '';
  for (const character of line) {
    if (columnsOf(short + character) > columns - 1) break;
    short += character;
  }
  return `${short}…`;
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += (character.codePointAt(0) ?? 0) >= 0x2e80 ? 1.75 : 1;
  return columns;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
