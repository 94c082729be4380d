/** Image file types that this module recognizes. */
export type ImageType = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Facts from the first bytes of an image file. */
export interface ImageHeader {
  readonly type: ImageType;
  /** Stored size in pixels. Absent if the bytes do not contain it, and always for AVIF. */
  readonly size?: ImageSize | undefined;
  /** Whether Exif rotates the image by 90° or 270°, which swaps width and height. */
  readonly isRotated?: boolean;
  /** Whether pixels may be transparent. Absent if the bytes do not contain it, and always for GIF and AVIF. */
  readonly hasAlpha?: boolean | undefined;
}

/**
 * Reads type, size and transparency from the first bytes of an image. Returns undefined for an unknown type. The bytes are
 * untrusted: the cost grows with the number of header segments, not with the number of bytes.
 */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.subarray(0, 3).toString('hex') === 'ffd8ff') return readJpeg(bytes);
  if (bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a') return readPng(bytes);
  if (/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return readGif(bytes);
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return readWebp(bytes);
  return isAvif(bytes) ? { type: 'avif' } : undefined;
}

function readPng(bytes: Buffer): ImageHeader {
  const isWhole = bytes.length >= 26 && textAt(bytes, 12, 4) === 'IHDR';
  if (!isWhole) return { type: 'png' };
  const size = toSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  return { type: 'png', size, hasAlpha: hasPngAlpha(bytes) };
}

const chunkNames = { tRNS: 0x74_52_4e_53, IDAT: 0x49_44_41_54 };

/** RFC 2083: color types 4 and 6 have an alpha channel. The others may have a tRNS chunk before the data. */
function hasPngAlpha(bytes: Buffer): boolean | undefined {
  if ([4, 6].includes(bytes.readUInt8(25))) return true;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.readUInt32BE(at + 4);
    if (name === chunkNames.tRNS) return true;
    if (name === chunkNames.IDAT) return false;
  }
  return undefined;
}

function readGif(bytes: Buffer): ImageHeader {
  const isWhole = bytes.length >= 10;
  return { type: 'gif', size: isWhole ? toSize(bytes.readUInt16LE(6), bytes.readUInt16LE(8)) : undefined };
}

/** RFC 9649: the first chunk is extended (VP8X), lossless (VP8L) or lossy (VP8). */
function readWebp(bytes: Buffer): ImageHeader {
  if (bytes.length < 30) return { type: 'webp' };
  switch (textAt(bytes, 12, 4)) {
    case 'VP8X': {
      const size = toSize(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
      return { type: 'webp', size, hasAlpha: (bytes.readUInt8(20) & 0x10) !== 0 };
    }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      const size = toSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
      return { type: 'webp', size, hasAlpha: ((bits >>> 28) & 1) !== 0 };
    }
    case 'VP8 ': {
      const size = toSize(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
      return { type: 'webp', size, hasAlpha: false };
    }
    default:
      return { type: 'webp' };
  }
}

/** ITU T.81: reads segments up to the frame header, whose marker is C0 to CF except C4, C8 and CC. */
function readJpeg(bytes: Buffer): ImageHeader {
  let isRotated = false;
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes.readUInt16BE(at);
    // Fill bytes may precede a marker.
    if (marker === 0xffff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    // Entropy-coded data or an invalid segment: the header ends here.
    if (marker < 0xff01 || marker === 0xffda || length < 2) break;
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      const size = toSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
      return { type: 'jpeg', size, isRotated, hasAlpha: false };
    }
    if (marker === 0xffe1) isRotated ||= isRotatedByExif(bytes.subarray(at + 4, at + 2 + length));
    at += 2 + length;
  }
  return { type: 'jpeg', isRotated, hasAlpha: false };
}

/** Of an entry of an Exif directory. */
const entryBytes = 12;

/** Exif 2.3, tag 0112: orientations 5 to 8 rotate by 90° or 270°. */
function isRotatedByExif(segment: Buffer): boolean {
  const tiff = segment.subarray(6);
  const order = textAt(tiff, 0, 2);
  if (!textAt(segment, 0, 4).startsWith('Exif') || !['II', 'MM'].includes(order)) return false;
  const isLittle = order === 'II';
  const short = (at: number): number => {
    if (at + 2 > tiff.length) return 0;
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  if (tiff.length < 8) return false;
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const start = directory + 2;
  // The segment may claim entries that it does not have, and a file may have very many segments.
  const end = Math.min(start + short(directory) * entryBytes, tiff.length);
  for (let entry = start; entry < end; entry += entryBytes)
    if (short(entry) === 0x0112) return short(entry + 8) >= 5 && short(entry + 8) <= 8;
  return false;
}

/** ISO 14496-12: the first box holds its length, `ftyp` and the brands of the file. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || textAt(bytes, 4, 4) !== 'ftyp') return false;
  const brands = bytes.subarray(8, Math.min(bytes.readUInt32BE(0), 256)).toString('latin1');
  return /^(.{4})*avi[fs]/s.test(brands);
}

function toSize(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function textAt(bytes: Buffer, start: number, length: number): string {
  return bytes.subarray(start, start + length).toString('latin1');
}
