const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/apng': '.png',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'video/quicktime': '.mov',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/ogg': '.ogg',
  'audio/flac': '.flac',
  'audio/aac': '.aac',
  'audio/x-m4a': '.m4a',
};

/** With the dot. Empty for other types. */
export function extensionOfType(contentType: string): string {
  return extensions[contentType.split(';')[0] ?? ''] ?? '';
}

/** Pages show results of known types. Browsers only save what clients have sent. */
export function dispositionOf(id: string, contentType: string): string {
  const extension = extensionOfType(contentType);
  const isShown = extension !== '' && !id.startsWith('upload_');
  return `${isShown ? 'inline' : 'attachment'}; filename="${id}${extension}"`;
}
