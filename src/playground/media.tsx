import type { GeneratedAsset } from '@gengraph/client';

type Shown = Pick<GeneratedAsset, 'kind' | 'role' | 'url' | 'base64' | 'contentType' | 'width' | 'height'>;

/** A file of a result, as people look at it or listen to it. */
export function Medium({ asset, label }: { readonly asset: Shown; readonly label: string }) {
  const address = addressOf(asset);
  if (address === undefined) return <p className="hint">A file without an address: {label}</p>;
  switch (asset.kind) {
    case 'AUDIO':
      return <audio controls preload="none" src={address} aria-label={label} />;
    case 'VIDEO':
      return <video controls playsInline preload="metadata" src={address} aria-label={label} />;
    default:
      return (
        <a href={address} target="_blank" rel="noopener noreferrer">
          <img
            src={address}
            alt={label}
            loading="lazy"
            width={asset.width ?? undefined}
            height={asset.height ?? undefined}
          />
        </a>
      );
  }
}

/** Only what a medium can be: a script in an address never becomes a link. */
function addressOf({ url, base64, contentType }: Shown): string | undefined {
  if (base64 !== null)
    return `data:${/^(image|audio|video)\/[\w.+-]+$/.test(contentType ?? '') ? contentType : 'image/png'};base64,${base64}`;
  return url !== null && /^https?:/i.test(url) ? url : undefined;
}
