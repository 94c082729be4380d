import { addressOf, type GeneratedAsset } from '@gengraph/client';
import { type SyntheticEvent, useState } from 'react';

export interface MediumProps {
  readonly asset: Pick<GeneratedAsset, 'kind' | 'url' | 'base64' | 'contentType' | 'width' | 'height'>;
  readonly label: string;
  /** Its address has expired, or cannot be reached. */
  readonly onBroken?: (url: string) => void;
}

/** A file of a result, as people look at it or listen to it. */
export function Medium({ asset, label, onBroken }: MediumProps) {
  const [broken, setBroken] = useState({ src: '', wasPlaying: false });
  const src = addressOf(asset);
  if (src === undefined && asset.url !== null) return <p className="empty">{label}</p>; // The id of a file.
  if (src === undefined || src === broken.src) return <p className="empty">Not available: {label}</p>;
  const onError = ({ currentTarget }: SyntheticEvent<HTMLElement>): void => {
    setBroken({ src, wasPlaying: currentTarget instanceof HTMLMediaElement && !currentTarget.paused });
    onBroken?.(src);
  };
  // What its user has started goes on from its next address.
  const shared = { src, controls: true, autoPlay: broken.wasPlaying, 'aria-label': label, onError };
  const size = { width: asset.width ?? undefined, height: asset.height ?? undefined };
  if (asset.kind === 'AUDIO') return <audio {...shared} preload="none" />;
  if (asset.kind === 'VIDEO') return <video {...shared} playsInline preload="metadata" />;
  return (
    <a href={src} target="_blank" rel="noopener noreferrer">
      <img src={src} alt={label} loading="lazy" {...size} onError={onError} />
    </a>
  );
}
