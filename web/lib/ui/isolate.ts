/**
 * Takes an element that covers the page; puts all the rest out of reach of keyboard and screen
 * reader until the result is called. What announces goes on.
 */
export function isolate(element: Element): () => void {
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
