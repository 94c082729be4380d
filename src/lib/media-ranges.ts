import { LRUCache } from 'lru-cache';
import { limitEntries } from './cache-limits.ts';

/** Clients repeat their header with each request. */
const maxCached = 100;
const maxCachedChars = 20_000;

/** `mediaRangesOf` with a cache. */
export function createMediaRanges(): (accept: string | undefined) => readonly string[] {
  const cached = new LRUCache<string, readonly string[]>(
    limitEntries(maxCached, maxCachedChars, (_ranges, accept) => accept.length),
  );
  return (accept = '') => {
    const known = cached.get(accept);
    if (known) return known;
    const ranges = mediaRangesOf(accept);
    cached.set(accept, ranges);
    return ranges;
  };
}

/**
 * The media ranges of an `Accept` header in its order, in lower case. Like Yoga, it ignores quality values other than 0, and
 * leaves out ranges with another charset than UTF-8. Of the parameters, it keeps `subscriptionSpec`, which makes another type.
 */
function mediaRangesOf(accept: string | undefined): readonly string[] {
  const ranges = (accept || '*/*').replaceAll(/\s/g, '').toLowerCase();
  return (ranges.match(/(?:"[^"]*"|[^,])+/g) ?? []).flatMap((range) => {
    const [mediaRange = '', ...quoted] = range.split(';');
    const parameters = quoted.map((parameter) => parameter.replaceAll('"', ''));
    const charset = parameters.find((parameter) => parameter.includes('charset='));
    if (charset !== undefined && charset !== 'charset=utf-8') return [];
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return [];
    const spec = parameters.find((parameter) => parameter.startsWith('subscriptionspec='));
    return [spec === undefined ? mediaRange : `${mediaRange};${spec}`];
  });
}

/** Whether a client that accepts these media ranges accepts one of the media types. */
export function acceptsAny(mediaRanges: readonly string[], mediaTypes: readonly string[]): boolean {
  return mediaRanges.some((range) => {
    const [type, subtype] = range.split('/');
    return mediaTypes.some((mediaType) => {
      const [ownType, ownSubtype] = mediaType.split('/');
      return (type === '*' || type === ownType) && (subtype === '*' || subtype === ownSubtype);
    });
  });
}
