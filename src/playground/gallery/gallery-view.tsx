import type { GenerationFilter } from '@gengraph/client';
import { GenerationChangedDocument, UsageTotalsDocument } from '@gengraph/client/documents';
import { useGallery } from '@gengraph/client/react';
import { print } from 'graphql';
import { useEffect, useRef } from 'react';
import { prefix } from '../chat/conversation.ts';
import { kindTitles } from '../create/families.ts';
import { Problem } from '../problem.tsx';
import { go, Link } from '../router.tsx';
import { ShowMe } from '../show-me/show-me.tsx';
import { useRead } from '../use-read.ts';
import { GenerationCard } from './generation-card.tsx';

const statuses = ['QUEUED', 'RUNNING', 'SUBMITTED', 'SUCCEEDED', 'FAILED', 'CANCELED', 'UNKNOWN'];

/** All that the visitor made, in every tab, as it changes. The filter is in the address. */
export function GalleryView({ search }: { readonly search: URLSearchParams }) {
  const filter = toFilter(search);
  const isFiltered = search.size > 0;
  const gallery = useGallery(filter, { pageSize: 24 });
  const sample = { query: print(GenerationChangedDocument), variables: { filter } };
  const more = (): void => void gallery.loadMore();
  // The way back leads to the same place, for which older ones may have to be read.
  const place = useRef(Number(history.state));
  useEffect(() => {
    if (gallery.isLoading || place.current === 0) return;
    const isShort = document.documentElement.scrollHeight - innerHeight < place.current;
    scrollTo(0, place.current);
    if (isShort && gallery.hasMore) more();
    else place.current = 0;
  }, [gallery.isLoading, gallery.items.length]);
  const days = Map.groupBy(gallery.items, ({ createdAt }) => nameDay(new Date(createdAt)));
  return (
    <section aria-labelledby="gallery">
      <div className="head">
        <h1 id="gallery">Gallery</h1>
        <Filter search={search} />
      </div>
      {gallery.problem && <Problem problem={gallery.problem} onRetry={gallery.retry} />}
      {gallery.isLoading && !gallery.problem && <p aria-busy="true">Reading…</p>}
      {!gallery.isLoading && gallery.items.length === 0 && (
        <p className="empty">
          {isFiltered ? 'Nothing matches this filter. ' : 'Nothing yet: what you make appears here. '}
          <Link
            to={isFiltered ? 'gallery' : 'create'}
            children={isFiltered ? 'Show everything' : 'Make something'}
          />
        </p>
      )}
      {[...days].map(([day, items]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <div className="cards">
            {items.map((item) => (
              <GenerationCard key={item.id} generation={item} />
            ))}
          </div>
        </section>
      ))}
      {gallery.hasMore && <button aria-busy={gallery.isLoadingMore} children="Older ones" onClick={more} />}
      <ShowMe sample={sample} result={gallery.items.slice(0, 3)} />
    </section>
  );
}

/** The server refuses a kind or status that it does not know, and the page shows that. */
function toFilter(search: URLSearchParams): GenerationFilter {
  const [kind, status, collection] = ['kind', 'status', 'collection'].map((name) => search.get(name));
  return {
    ...(kind && { kinds: [kind] }),
    ...(status && { statuses: [status] }),
    ...(collection && { collection }),
  } as GenerationFilter;
}

function Filter({ search }: { readonly search: URLSearchParams }) {
  const { value: totals } = useRead(UsageTotalsDocument, { groupBy: ['COLLECTION'] });
  const select = (name: string, values: readonly string[], textOf = (value: string) => value) => {
    const own = search.get(name) ?? '';
    const choose = (value: string): void => {
      const others = [...search].filter(([other]) => other !== name);
      const chosen = new URLSearchParams(value ? [...others, [name, value]] : others);
      go(chosen.size > 0 ? `gallery?${chosen}` : 'gallery', 'replace');
    };
    return (
      <select aria-label={name} value={own} onChange={({ target }) => choose(target.value)}>
        <option value="">Any {name}</option>
        {/* That of the address may be none of them. */}
        {[...new Set([own || [], values].flat())].map((value) => (
          <option key={value} value={value} children={textOf(value)} />
        ))}
      </select>
    );
  };
  // Each conversation of the page is a collection of its own, which has a page of its own.
  const named = (totals ?? []).flatMap(({ collection }) => collection ?? []);
  const shared = named.filter((name) => !name.startsWith(prefix));
  return (
    <form className="filter">
      {select('kind', [...kindTitles.keys()], (kind) => kindTitles.get(kind) ?? kind)}
      {select('status', statuses, (status) => status.toLowerCase())}
      {select('collection', shared)}
    </form>
  );
}

function nameDay(date: Date): string {
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return 'Today';
  now.setDate(now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return 'Yesterday';
  return date.toLocaleDateString(undefined, { dateStyle: 'full' });
}
