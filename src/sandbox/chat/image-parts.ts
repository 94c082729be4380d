/** What can be told of an image without looking at its pixels. */
export interface ImageReference {
  /** `PNG`, or undefined for a link. */
  readonly format?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly bytes?: number | undefined;
  /** The link's host and file name, for an image that is not inline. */
  readonly link?: string | undefined;
}

/** Reads an image URL or base64 data URI; undefined where it is neither. */
export function readImageReference(url: string): ImageReference | undefined {
  if (!/^data:/i.test(url)) return readLink(url);
  const comma = url.indexOf(',');
  const header = /^data:image\/([a-z0-9.+-]+)(?:;[^;,]*)*;base64$/i.exec(url.slice(0, comma));
  const data = url.slice(comma + 1);
  if (comma < 0 || !header || data === '' || !isBase64(data)) return undefined;
  const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  // Sizes stand in the first bytes, but for JPEGs with long metadata.
  const head = Buffer.from(data.slice(0, 256 * 1024), 'base64');
  return { format: header[1]?.toUpperCase(), bytes, ...readSize(head) };
}

/** `a PNG image of 64×32 pixels` */
export function describeImage({ format, width, height, bytes, link }: ImageReference): string {
  if (link !== undefined) return `the image at ${link}`;
  const kind = `${/^[AEFHILMNORSX]/.test(format ?? '') ? 'an' : 'a'} ${format ?? 'inline'} image`;
  if (width !== undefined && height !== undefined) return `${kind} of ${width}×${height} pixels`;
  return `${kind} of ${bytes ?? 0} bytes`;
}

function isBase64(data: string): boolean {
  return data.length % 4 !== 1 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

function readLink(url: string): ImageReference | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname } = new URL(url);
  const file = pathname.split('/').pop() ?? '';
  return { link: file === '' ? host : `${host}/${file}` };
}

function readSize(head: Buffer): { width?: number; height?: number } {
  const magic = head.toString('latin1', 0, 16);
  if (magic.startsWith('\x89PNG') && head.length >= 24) {
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  }
  if (magic.startsWith('GIF8') && head.length >= 10) {
    return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  }
  if (magic.startsWith('RIFF') && magic.slice(8, 16) === 'WEBPVP8X' && head.length >= 30) {
    return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
  }
  return magic.startsWith('\xff\xd8') ? readJpegSize(head) : {};
}

/** A JPEG is a chain of segments; the one that starts a frame (SOF0 to SOF15) holds the size. */
function readJpegSize(head: Buffer): { width?: number; height?: number } {
  let at = 2;
  while (at + 9 < head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0;
    const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (startsFrame) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
    at += 2 + head.readUInt16BE(at + 2);
  }
  return {};
}
