import {
  GenerationChangedDocument,
  type GenerationFilter,
  type GenerationKind,
  type TaskStatus,
} from '@gengraph/client/documents';
import { useGallery } from '@gengraph/client/react';
import { useState } from 'react';
import { Problem } from '../problem.tsx';
import { follow, toHref } from '../router.ts';
import { queryOf } from '../show-me/query-of.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { GenerationCard, toName } from './generation-card.tsx';

const kinds = [
  'CHAT',
  'IMAGE',
  'SONG',
  'SPEECH',
  'VIDEO',
  'ANIMATION',
  'QUEUED_IMAGE',
  'QUEUED_INPAINTING',
  'IMAGE_FILL',
  'REFERENCE_VIDEO',
  'TRANSITION_VIDEO',
  'SONG_COVER',
  'SONG_SPEED',
  'CONTENT',
] as const satisfies readonly GenerationKind[];
const statuses = [
  'QUEUED',
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'CANCELED',
  'UNKNOWN',
] as const satisfies readonly TaskStatus[];

/** All that the visitor made, in every tab, as it changes. */
export function GalleryView() {
  const [kind, setKind] = useState<GenerationKind | ''>('');
  const [status, setStatus] = useState<TaskStatus | ''>('');
  const [collection, setCollection] = useState('');
  const filter: GenerationFilter = {
    ...(kind && { kinds: [kind] }),
    ...(status && { statuses: [status] }),
    ...(collection && { collection }),
  };
  const gallery = useGallery(filter, { pageSize: 24 });
  const select = (label: string, value: string, options: readonly string[], set: (value: string) => void) => (
    <label>
      {label}
      <select value={value} onChange={({ target }) => set(target.value)}>
        <option value="">All</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {toName(option)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <section aria-labelledby="gallery">
      <h2 id="gallery">Gallery</h2>
      <form className="filter" onSubmit={(event) => event.preventDefault()}>
        {select('Kind', kind, kinds, (value) => setKind(kinds.find((each) => each === value) ?? ''))}
        {select('Status', status, statuses, (value) =>
          setStatus(statuses.find((each) => each === value) ?? ''),
        )}
        <label>
          Collection
          <input value={collection} onChange={({ target }) => setCollection(target.value)} />
        </label>
      </form>
      {gallery.problem && <Problem problem={gallery.problem} onRetry={gallery.retry} />}
      {gallery.isLoading && <p role="status">Reading…</p>}
      {!gallery.isLoading && gallery.items.length === 0 && (
        <p className="empty">
          {Object.keys(filter).length > 0 ? 'Nothing matches this filter.' : 'Nothing yet.'} Start{' '}
          <a href={toHref('chat')} onClick={follow}>
            a chat
          </a>{' '}
          or make{' '}
          <a href={toHref('create')} onClick={follow}>
            a picture
          </a>
          : it appears here, in every tab.
        </p>
      )}
      <div className="cards">
        {gallery.items.map((item) => (
          <GenerationCard key={item.id} generation={item} />
        ))}
      </div>
      {gallery.hasMore && (
        <button type="button" disabled={gallery.isLoadingMore} onClick={() => void gallery.loadMore()}>
          Older ones
        </button>
      )}
      <ShowMe
        sample={{
          query: queryOf(GenerationChangedDocument),
          variables: { filter },
          kit: `const { items, hasMore, loadMore, problem } = useGallery(${JSON.stringify(filter)});`,
        }}
        result={gallery.items.slice(0, 3)}
      />
    </section>
  );
}
