/** Hands the focus of what is gone to the card, the turn or the view before it: none of them acts when a key is pressed again. */
export function keepFocus(): void {
  let last: Element = document.body;
  let before: readonly HTMLElement[] = [];
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = target;
    before = [...document.querySelectorAll<HTMLElement>('[tabindex="-1"]')].filter(
      (place) => place.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body || last.isConnected) return;
    const place = before.findLast((each) => each.isConnected) ?? document.querySelector('main');
    place?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
