/** Covers the window, or what a phone's keyboard leaves of it; call the result to undo. */
export function coverPage(element: HTMLElement): () => void {
  const view = window.visualViewport;
  const fit = () =>
    element.style.setProperty('--visible-height', `${view?.height ?? innerHeight}px`);
  fit();
  element.showPopover();
  const release = isolate(element);
  view?.addEventListener('resize', fit);
  return () => {
    view?.removeEventListener('resize', fit);
    release();
  };
}

/**
 * Makes everything but the element unreachable for keyboard and screen reader until the result is
 * called. Live regions keep working.
 */
function isolate(element: Element): () => void {
  const hidden: Element[] = [];
  for (let inner = element; inner !== document.body;) {
    const outer = inner.parentElement;
    if (outer === null) break;
    for (const sibling of outer.children) {
      const isFree =
        sibling === inner || sibling.matches('[inert], [aria-live], [role=status], dialog');
      if (isFree) continue;
      sibling.setAttribute('inert', '');
      hidden.push(sibling);
    }
    inner = outer;
  }
  return () => {
    for (const other of hidden) other.removeAttribute('inert');
  };
}
