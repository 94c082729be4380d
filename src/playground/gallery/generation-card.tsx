import type { GeneratedAsset, GenerationView } from '@gengraph/client';
import { useChatStream } from '@gengraph/client/react';
import { gengraph } from '../gengraph.ts';
import { Markdown } from '../markdown.tsx';
import { Medium } from '../media.tsx';
import { follow, toHref } from '../router.ts';
import { useRead } from '../use-read.ts';
import { replyQuery } from './details.ts';

export interface GenerationCardProps {
  readonly generation: GenerationView;
  /** Whether a chat is followed while it runs. In a list, texts come when they have ended. */
  readonly isWhole?: boolean;
}

/** A generation as it is now: its progress, its files, and where to see all of it. */
export function GenerationCard({ generation, isWhole = false }: GenerationCardProps) {
  const { id, kind, prompt, status, isEnded, isCancelable, assets, error } = generation;
  const title = prompt ?? toName(kind);
  return (
    <article className="card" aria-label={title}>
      {[...Map.groupBy(assets, ({ index }) => index)].map(([index, files]) => (
        <Result key={index} files={files} title={title} />
      ))}
      {id !== null && kind === 'CHAT' && isWhole && <LiveText id={id} />}
      {id !== null && isEnded && (kind === 'CONTENT' || (kind === 'CHAT' && !isWhole)) && <Text id={id} />}
      {!isEnded && <Progress generation={generation} />}
      <h3>
        {id === null ? (
          title
        ) : (
          <a href={toHref('g', id)} onClick={follow}>
            {title}
          </a>
        )}
      </h3>
      <p className="hint">
        {toName(kind)}, {status.toLowerCase()}
        {generation.createdAt && `, ${new Date(generation.createdAt).toLocaleString()}`}
      </p>
      {error && <p className="problem">{error.message}</p>}
      {id !== null && isCancelable && !isEnded && (
        <button type="button" onClick={() => void gengraph.stop(id)}>
          Stop
        </button>
      )}
    </article>
  );
}

function LiveText({ id }: { readonly id: string }) {
  return <Markdown text={useChatStream(id).text} />;
}

function Text({ id }: { readonly id: string }) {
  const output = useRead(replyQuery, { by: { id } }).value?.output;
  return (
    <div className="excerpt">
      <Markdown text={output?.text ?? output?.choices?.[0]?.message.content ?? ''} />
    </div>
  );
}

/** The files of one result: a song has a cover, its sound, and often a video. */
function Result({ files, title }: { readonly files: readonly GeneratedAsset[]; readonly title: string }) {
  const show = (asset: GeneratedAsset, index: number) => (
    <Medium key={index} asset={asset} label={asset.title ?? `${title}, ${asset.role.toLowerCase()}`} />
  );
  const hasSound = files.some(({ kind }) => kind === 'AUDIO');
  const videos = files.filter(({ kind }) => hasSound && kind === 'VIDEO');
  return (
    <div className="result">
      {files.filter((file) => !videos.includes(file) && file.kind !== 'AUDIO').map(show)}
      {files.filter(({ kind }) => kind === 'AUDIO').map(show)}
      {videos.length > 0 && (
        <details>
          <summary>Video</summary>
          {videos.map(show)}
        </details>
      )}
    </div>
  );
}

function Progress({
  generation: { progress, queuePosition, status },
}: {
  readonly generation: GenerationView;
}) {
  const label = queuePosition ? `Number ${queuePosition} in the queue` : status.toLowerCase();
  return (
    <p className="progress">
      <progress value={progress ?? undefined} aria-label="Progress" />
      <span>{progress === null ? label : `${Math.round(progress * 100)} %`}</span>
    </p>
  );
}

/** `CHAT` and `IMAGE_FILL` as words. */
export function toName(kind: string | null): string {
  const words = (kind ?? 'generation').toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
