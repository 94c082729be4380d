/** A plate that says that a picture was generated, as an SVG with a margin to the right and below. */
export function drawWatermark(width: number, height: number): Buffer {
  const size = Math.max(10, Math.round(Math.min(width, height) * 0.03));
  const plate = { width: Math.round(size * 8.6), height: Math.round(size * 1.9) };
  const margin = Math.round(size * 0.7);
  const middle = `x="${plate.width / 2}" y="${Math.round(size * 1.3)}" text-anchor="middle"`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${plate.width + margin}" height="${plate.height + margin}">` +
      `<rect width="${plate.width}" height="${plate.height}" rx="${Math.round(size * 0.4)}" fill="#fff" fill-opacity="0.88"/>` +
      `<text ${middle} font-family="DejaVu Sans, Noto Sans, Liberation Sans, Arial, sans-serif" font-size="${size}" fill="#222">AI generated</text></svg>`,
  );
}
