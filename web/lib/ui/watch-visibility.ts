/** One observer for all: a browser handles many elements in one far better than many observers. */
const listeners = new WeakMap<Element, (isVisible: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Takes an element; tells whether a part of it is in sight, now and on every change. The result ends it. */
export function watchVisibility(
  element: Element,
  listener: (isVisible: boolean) => void,
): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
  });
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    listeners.delete(element);
  };
}
