import type { CreateElement } from './element.ts';
import type { Media } from './find-media.ts';

export interface MediaPane {
  /** Shows the files, and a button for what to do next, if there is something. Elements of known files stay, and play on. */
  show(media: readonly Media[], next: NextStep | undefined): void;
}

export interface NextStep {
  readonly label: string;
  run(): void;
}

/**
 * The pane beside the result. Everything in it comes from results, so it is text or the source of a media element. The source
 * text of this function is inlined in the page, so it must be self-contained.
 */
export function createMediaPane(parent: HTMLElement, createElement: CreateElement): MediaPane {
  const heading = createElement('h2', {}, ['Media']);
  const close = createElement('button', { type: 'button', 'aria-label': 'Hide the media' }, ['✕']);
  const next = createElement('button', { type: 'button', class: 'gengraph-next' });
  const list = createElement('ul', { 'aria-label': 'Media in the result' });
  const pane = createElement('aside', { id: 'media', hidden: '', 'aria-label': 'Media in the result' }, [
    createElement('header', {}, [heading, close]),
    next,
    list,
  ]);
  parent.append(pane);
  let shown = new Map<string, HTMLElement>();
  let hiddenSources = '';
  let step: NextStep | undefined;
  next.addEventListener('click', () => step?.run());
  close.addEventListener('click', () => {
    hiddenSources = [...shown.keys()].join('\n');
    pane.hidden = true;
  });

  const createPlayer = ({ type, source, label, poster }: Media): HTMLElement => {
    if (type === 'image') {
      const image = createElement('img', { src: source, alt: label, loading: 'lazy' });
      const link = createElement('a', { href: source, target: '_blank', rel: 'noreferrer' }, [image]);
      // Browsers do not open data URIs as pages.
      return source.startsWith('data:') ? image : link;
    }
    const player = createElement(type, { controls: '', preload: 'metadata', 'aria-label': label });
    if (type === 'audio') player.preload = 'none';
    if (type === 'video') {
      player.setAttribute('playsinline', '');
      player.setAttribute('loop', '');
      if (poster !== undefined) player.setAttribute('poster', poster);
    }
    player.src = source;
    return player;
  };
  const createItem = (media: Media): HTMLElement => {
    const player = createPlayer(media);
    const caption = createElement('figcaption', {}, [createElement('span', {}, [media.label])]);
    if (!media.source.startsWith('data:'))
      caption.append(
        createElement('a', { href: media.source, target: '_blank', rel: 'noreferrer' }, [
          'Open',
          createElement('span', { class: 'gengraph-unseen' }, [` ${media.label} in a new tab`]),
        ]),
      );
    const figure = createElement('figure', {}, [player, caption]);
    // Errors of media elements do not bubble.
    figure.addEventListener(
      'error',
      () => {
        const text =
          'Cannot be loaded: the address may have expired, or the browser does not know the format.';
        player.replaceWith(createElement('p', { class: 'gengraph-broken' }, [text]));
      },
      { capture: true, once: true },
    );
    return createElement('li', {}, [figure]);
  };

  return {
    show(media, nextStep) {
      const items = new Map(
        media.map((item) => [item.source, shown.get(item.source) ?? createItem(item)] as const),
      );
      for (const [source, item] of shown) if (!items.has(source)) item.remove();
      // A media element that is moved stops playing, so only new ones are inserted.
      let place = list.firstElementChild;
      for (const item of items.values()) {
        if (item === place) place = place.nextElementSibling;
        else list.insertBefore(item, place);
      }
      shown = items;
      step = nextStep;
      heading.textContent = media.length === 0 ? 'Next' : `Media (${media.length})`;
      next.textContent = step?.label ?? '';
      next.hidden = step === undefined;
      const sources = [...items.keys()].join('\n');
      pane.hidden =
        (media.length === 0 && step === undefined) || (sources !== '' && sources === hiddenSources);
    },
  };
}
