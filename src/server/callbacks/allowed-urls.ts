/** Where routers may receive events: origins, and below them paths. */
export interface AllowedUrls {
  /** Whether events may be posted to this address. */
  has(url: URL): boolean;
  /** Whether an address with this origin is listed. */
  hasOrigin(url: URL): boolean;
}

/** @param listed addresses without user, query and fragment */
export function createAllowedUrls(listed: readonly string[]): AllowedUrls {
  const allowed = listed.map((text) => {
    const url = new URL(text);
    return { origin: url.origin, segments: segmentsOf(url) };
  });
  return {
    has(url) {
      if (url.username !== '' || url.password !== '') return false;
      const segments = segmentsOf(url);
      return allowed.some(
        (one) =>
          one.origin === url.origin &&
          one.segments.every((segment, index) => segment === segments[index]) &&
          segments.slice(one.segments.length).every(isPlain),
      );
    },
    hasOrigin: (url) => allowed.some(({ origin }) => origin === url.origin),
  };
}

/** A server that decodes `%2f`, or removes what follows `;`, would read another path. */
function isPlain(segment: string): boolean {
  return !/[%;]/.test(segment);
}

/** Without a slash at the end. The parser has resolved `.` and `..`, also those that are encoded. */
function segmentsOf({ pathname }: URL): readonly string[] {
  return pathname.replace(/\/$/, '').split('/');
}
