import type { GeneratedAsset, GenerationView } from '@gengraph/client';
import { GenerationDocument } from '@gengraph/client/documents';
import { useAssets, useChatStream } from '@gengraph/client/react';
import { useRef, useState } from 'react';
import { kindTitles, titleOf } from '../create/families.ts';
import { gengraph, run } from '../gengraph.ts';
import { Markdown } from '../markdown.tsx';
import { Medium } from '../media.tsx';
import { ContentDocument } from '../operations.generated.ts';
import { Act } from '../problem.tsx';
import { Link } from '../router.tsx';
import { useRead } from '../use-read.ts';

/** A generation as it is now: its progress, its files, and where to see all of it, unless it `isWhole`. */
export function GenerationCard({ generation, isWhole }: { generation: GenerationView; isWhole?: boolean }) {
  const { id, kind, status, createdAt, isEnded, isCancelable, error, readFailure } = generation;
  const [assets, renew] = useRenewal(id, useAssets(generation));
  const title = titleOf(generation);
  const time = createdAt && new Date(createdAt).toLocaleTimeString(undefined, { timeStyle: 'short' });
  const heading = id === null ? title : <Link to={`g/${id}`}>{title}</Link>;
  const results = [...Map.groupBy(assets, ({ index }) => index).values()];
  const count = !isWhole && results.length > 1 && `${results.length} results`;
  const facts = [kindTitles.get(kind ?? ''), count, status.toLowerCase(), time].filter(Boolean).join(' · ');
  return (
    <article className="card" aria-label={title} tabIndex={-1}>
      <div className="stage">
        {results.slice(0, isWhole ? undefined : 1).map((files, index) => (
          <Result key={index} files={files} title={title} onBroken={(url) => void renew(url)} />
        ))}
        {id !== null && kind === 'CHAT' && <Reply id={id} />}
        {id !== null && kind === 'CONTENT' && isEnded && <Content id={id} />}
        {!isEnded && kind !== 'CHAT' && <Progress generation={generation} />}
        {!isWhole && readFailure && (
          <p className="problem">This may be old: its state cannot be read now. {readFailure.message}</p>
        )}
        {error && !isWhole && <p className="problem">{error.message}</p>}
      </div>
      <h3 dir="auto" aria-level={isWhole ? 2 : 3} children={heading} />
      <p className={`hint status ${status}`} role={isWhole ? 'status' : undefined} children={facts} />
      {id !== null && isCancelable && !isEnded && (
        <Act children="Stop" act={async () => (await gengraph.stop(id)).problem} />
      )}
    </article>
  );
}

/** The files of a generation, and a function that reads them again, once for each address that has expired. */
function useRenewal(id: string | null, assets: GenerationView['assets']) {
  const [renewed, setRenewed] = useState({ old: assets, assets });
  const tried = useRef(new Set<string>());
  const renew = async (url: string): Promise<void> => {
    if (id === null || url.startsWith('data:') || tried.current.has(url)) return;
    tried.current.add(url);
    const { value } = await run(GenerationDocument, { by: { id } });
    if (value) setRenewed({ old: assets, assets: value.assets.map((asset) => ({ base64: null, ...asset })) });
  };
  // Those of a newer view are newer still.
  return [renewed.old === assets ? renewed.assets : assets, renew] as const;
}

/** The text of a chat, also while it is written, or what it has instead. */
function Reply({ id }: { readonly id: string }) {
  const { text, refusal, toolCalls } = useChatStream(id);
  return <Markdown text={text || refusal || toolCalls.map(({ name }) => `Calls \`${name}\``).join(', ')} />;
}

function Content({ id }: { readonly id: string }) {
  return <Markdown text={useRead(ContentDocument, { id }).value?.output?.text ?? ''} />;
}

type ResultProps = { files: readonly GeneratedAsset[]; title: string; onBroken: (url: string) => void };

/** The files of one result: a song has a cover, its sound, and often a video, which is loaded when it is opened. */
function Result({ files, title, onBroken }: ResultProps) {
  const [isOpen, setIsOpen] = useState(false);
  const show = (asset: GeneratedAsset, index: number) => {
    const role = asset.role === 'PRIMARY' ? '' : `, ${asset.role.toLowerCase()}`;
    const label = asset.title ?? title + role;
    return <Medium key={index} asset={asset} label={label} onBroken={onBroken} />;
  };
  const sounds = files.filter(({ kind }) => kind === 'AUDIO');
  const videos = files.filter(({ kind }) => kind === 'VIDEO' && sounds.length > 0);
  return (
    <div className="result">
      {files.filter((file) => !videos.includes(file) && !sounds.includes(file)).map(show)}
      {sounds.map(show)}
      {videos.length > 0 && (
        <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>Video</summary>
          {isOpen && videos.map(show)}
        </details>
      )}
    </div>
  );
}

function Progress({ generation }: { readonly generation: GenerationView }) {
  const { progress, queuePosition, status } = generation;
  const label = queuePosition ? `Number ${queuePosition} in the queue` : status.toLowerCase();
  return (
    <p className="progress">
      <progress value={progress ?? undefined} aria-label="Progress" />
      <span>{progress === null ? label : `${Math.round(progress * 100)} %`}</span>
    </p>
  );
}
