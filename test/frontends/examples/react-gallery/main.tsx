import {
  addressOf,
  createGengraph,
  type GeneratedAsset,
  type GenerationItem,
  isRepeatable,
} from '@gengraph/client';
import { GengraphProvider, useAssets, useCreate, useGallery } from '@gengraph/client/react';
import { type FormEvent, memo, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });

function Gallery() {
  const { items, hasMore, isLoading, isLoadingMore, problem, loadMore, retry } = useGallery(
    { kinds: ['SONG', 'IMAGE'] },
    { pageSize: 20 },
  );
  return (
    <section aria-busy={isLoading}>
      {problem && (
        <p role="alert">
          {problem.message} <button onClick={retry}>Try again</button>
        </p>
      )}
      <ul>
        {items.map((item) => (
          <Card key={item.id} item={item} />
        ))}
      </ul>
      {hasMore && (
        <button disabled={isLoadingMore} onClick={() => void loadMore()}>
          More
        </button>
      )}
    </section>
  );
}

/** An item that does not change is the same object, so its card does not render again. */
const Card = memo(function Card({ item }: { readonly item: GenerationItem }) {
  const { id, status, prompt, progress, error, isEnded } = item;
  // Also inline files, which lists leave out.
  const assets = useAssets(item);
  return (
    <li data-id={id} data-status={status}>
      {prompt && <h2>{prompt}</h2>}
      {!isEnded && <progress value={progress ?? undefined} />}
      {error && <p>{error.message}</p>}
      {assets
        .filter(({ role }) => role === 'PRIMARY')
        .map((asset) => (
          <Result
            key={asset.index}
            asset={asset}
            cover={assets.find(({ role, index }) => role === 'COVER' && index === asset.index)}
          />
        ))}
      {item.isCancelable && <button onClick={() => void gengraph.stop(id)}>Stop</button>}
    </li>
  );
});

function Result({
  asset,
  cover,
}: {
  readonly asset: GeneratedAsset;
  readonly cover: GeneratedAsset | undefined;
}) {
  if (asset.kind === 'IMAGE') return <img src={addressOf(asset)} alt="" width={160} loading="lazy" />;
  return (
    <figure>
      {cover?.url && <img src={cover.url} alt="" width={160} loading="lazy" />}
      <figcaption>{asset.title}</figcaption>
      {asset.url && <audio src={asset.url} controls preload="none" />}
    </figure>
  );
}

function NewSong() {
  const { create, status, fieldErrors, generation } = useCreate('createSong');

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const description = new FormData(event.currentTarget).get('description');
    if (typeof description === 'string') void create({ description, model: 'SONG_V5' });
  }

  return (
    <form onSubmit={submit}>
      <label>
        Song <input name="description" />
      </label>
      <button disabled={status === 'SENDING'}>
        {isRepeatable(generation?.error) ? 'Try again' : 'Create'}
      </button>
      {fieldErrors['description'] && <p role="alert">{fieldErrors['description']}</p>}
      {status === 'FAILED' && !fieldErrors['description'] && <p role="alert">{generation?.error?.message}</p>}
    </form>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <GengraphProvider client={gengraph}>
        <h1>Songs and images</h1>
        <NewSong />
        <Gallery />
      </GengraphProvider>
    </StrictMode>,
  );
