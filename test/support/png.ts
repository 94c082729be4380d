/** A PNG image of one pixel, followed by bytes that make it unique and as long as needed. */
export function pngOf(text: string, sizeBytes = 0): Buffer {
  const image = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const whole = Buffer.concat([image, Buffer.from(text)]);
  return Buffer.concat([whole, Buffer.alloc(Math.max(0, sizeBytes - whole.length))]);
}
