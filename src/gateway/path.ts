/** A path with encoded segments, and its template: the name of the endpoint in logs, metrics and spans. */
export interface FilledPath {
  /** Absolute path on the gateway, or an absolute URL from a reply. */
  readonly path: string;
  /** The path with a placeholder for each segment that differs between requests, such as ids and models. */
  readonly template: string;
}

/** Template tag for a path. Encodes each segment and rejects empty, `.` and `..` segments (path traversal). */
export function pathOf(strings: TemplateStringsArray, ...segments: readonly string[]): FilledPath {
  const path = strings.reduce((filled, part, index) => {
    const segment = segments[index - 1] ?? '';
    if (!isPathSegment(segment)) throw new RangeError('invalid path segment');
    return filled + encodeURIComponent(segment) + part;
  });
  return { path, template: strings.join('{id}') };
}

/** Whether a path can have this segment: it is a name, and can be encoded. */
export function isPathSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.isWellFormed();
}

/** An absolute URL from a reply about this task. Its template keeps the plain words of its path. */
export function linkOf(url: string, upstreamId: string): FilledPath {
  const segments = new URL(url).pathname.split('/');
  const isWord = (segment: string): boolean => /^(v\d+|[a-z][a-z_-]{0,30}|)$/i.test(segment);
  const names = segments.map((segment) => (isWord(segment) && segment !== upstreamId ? segment : '{id}'));
  return { path: url, template: names.join('/') };
}
