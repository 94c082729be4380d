/**
 * The media ranges of an `Accept` header in its order, in lower case. Like Yoga, it ignores quality values, and leaves out
 * ranges with another charset than UTF-8.
 */
export function mediaRangesOf(accept: string | undefined): readonly string[] {
  return (accept || '*/*')
    .replace(/\s/g, '')
    .toLowerCase()
    .split(',')
    .flatMap((range) => {
      const [mediaRange = '', ...parameters] = range.split(';');
      const charset = parameters.find((parameter) => parameter.includes('charset='));
      return charset === undefined || charset === 'charset=utf-8' ? [mediaRange] : [];
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
