import type { GeneratedAsset } from './generation-view.ts';

/**
 * The address of a file, for an element that shows it: http(s), or `data:` with an inline file. Only what a medium can be, as a
 * script in an address must never become a link. Undefined if the file is neither.
 */
export function addressOf({
  url,
  base64,
  contentType,
}: Pick<GeneratedAsset, 'url' | 'base64' | 'contentType'>): string | undefined {
  if (base64 !== null)
    return `data:${/^(image|audio|video)\/[\w.+-]+$/.test(contentType ?? '') ? contentType : 'image/png'};base64,${base64}`;
  return url !== null && /^https?:/i.test(url) ? url : undefined;
}
