/**
 * Makes the tiles of a grid one stop for Tab: it leads to the tile that had the focus last (or the
 * first), through that tile's own controls, and out. Keys of the page move between tiles. A tile is
 * an `article` with a `[data-card]`.
 */

const CONTROL = 'a[href], button, input, select, textarea, summary';
/** What a control had before it was taken out of the order. */
const KEPT = 'data-kept-tabindex';

/** To be attached to the element around the tiles, which leaves the page with them. */
export function rovingFocus(grid: HTMLElement): () => void {
  let current: Element | null = null;

  function arrange(added: Iterable<Element>): void {
    if (current?.isConnected !== true) {
      current = tileOf(grid.querySelector('article [data-card]'));
      if (current !== null) each(current, restore);
    }
    for (const element of added)
      each(element, (control) => {
        const tile = tileOf(control);
        if (tile !== null && tile !== current) keepOut(control);
      });
  }

  function follow({ target }: FocusEvent): void {
    const tile = tileOf(target as Element);
    if (tile === null || tile === current) return;
    if (current !== null) each(current, keepOut);
    current = tile;
    each(tile, restore);
  }

  // Tiles and their buttons come and go with the state they show.
  const observer = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    arrange(added.filter((node) => node instanceof Element));
  });
  arrange([grid]);
  observer.observe(grid, { childList: true, subtree: true });
  grid.addEventListener('focusin', follow);
  return () => {
    observer.disconnect();
    grid.removeEventListener('focusin', follow);
  };
}

function tileOf(element: Element | null): Element | null {
  const tile = element?.closest('article') ?? null;
  return tile?.querySelector('[data-card]') == null ? null : tile;
}

function each(element: Element, work: (control: HTMLElement) => void): void {
  if (element.matches(CONTROL)) work(element as HTMLElement);
  for (const control of element.querySelectorAll<HTMLElement>(CONTROL)) work(control);
}

function keepOut(control: HTMLElement): void {
  if (control.hasAttribute(KEPT) || control.tabIndex < 0) return;
  control.setAttribute(KEPT, control.getAttribute('tabindex') ?? '');
  control.tabIndex = -1;
}

function restore(control: HTMLElement): void {
  const kept = control.getAttribute(KEPT);
  if (kept === null) return;
  control.removeAttribute(KEPT);
  if (kept === '') control.removeAttribute('tabindex');
  else control.setAttribute('tabindex', kept);
}
