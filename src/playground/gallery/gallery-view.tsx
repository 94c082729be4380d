import { GenerationChangedDocument, type GenerationFilter } from '@gengraph/client/documents';
import { useGallery } from '@gengraph/client/react';
import { useState } from 'react';
import { useSchema } from '../form/use-schema.ts';
import { Problem } from '../problem.tsx';
import { follow, toHref } from '../router.ts';
import { queryOf } from '../show-me/query-of.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { GenerationCard, toName } from './generation-card.tsx';

/** The values that a member of the filter takes, by its schema. */
function choicesOf(schema: ReturnType<typeof useSchema>, member: string): readonly string[] {
  const { items } = (typeof schema === 'object' && schema.properties?.[member]) || {};
  return items?.enum?.filter((value) => value !== null) ?? [];
}

/** All that the visitor made, in every tab, as it changes. */
export function GalleryView() {
  const schema = useSchema('GenerationFilter');
  const [filter, setFilter] = useState<GenerationFilter>({});
  const change = (member: keyof GenerationFilter, value: readonly string[] | string): void => {
    const { [member]: _, ...others } = filter;
    setFilter(value.length === 0 ? others : { ...others, [member]: value });
  };
  const gallery = useGallery(filter, { pageSize: 24 });
  const select = (label: string, member: 'kinds' | 'statuses') => (
    <label>
      {label}
      <select
        value={filter[member]?.[0] ?? ''}
        onChange={({ target }) => change(member, target.value ? [target.value] : [])}
      >
        <option value="">All</option>
        {choicesOf(schema, member).map((option) => (
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
        {select('Kind', 'kinds')}
        {select('Status', 'statuses')}
        <label>
          Collection
          <input
            value={filter.collection ?? ''}
            onChange={({ target }) => change('collection', target.value)}
          />
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
