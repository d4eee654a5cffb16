/** Makes a `details` a menu: a button with a panel below it. */
import { on } from 'svelte/events';

/** Left between a panel and the edge of the window. */
const EDGE_PX = 8;

/**
 * To be attached to the element. Escape closes it; so do a press elsewhere and the focus when it
 * goes elsewhere. Its panel is the element after the `summary`, and is moved into the window.
 */
export function asMenu(menu: HTMLDetailsElement): () => void {
  /** Without a target the focus is lost, as when the window is left: the menu stays. */
  function closeWithout(target: EventTarget | null): void {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  }

  const ends = [
    on(menu, 'keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !menu.open) return;
      // The page has its own use for it.
      event.stopPropagation();
      closeMenu(menu);
    }),
    on(menu, 'focusout', ({ relatedTarget }) => closeWithout(relatedTarget)),
    on(document, 'pointerdown', ({ target }) => closeWithout(target)),
    // What the panel shows is drawn by then.
    on(menu, 'toggle', () => requestAnimationFrame(() => moveIntoWindow(menu))),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Returns the focus to the button. */
export function closeMenu(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

function moveIntoWindow({ open, lastElementChild: panel }: HTMLDetailsElement): void {
  if (!open || !(panel instanceof HTMLElement)) return;
  panel.style.translate = '';
  const { left, right } = panel.getBoundingClientRect();
  const room = document.documentElement.clientWidth - EDGE_PX;
  const by = right > room ? room - right : Math.max(0, EDGE_PX - left);
  panel.style.translate = `${by}px`;
}
