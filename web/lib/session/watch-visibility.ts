/** One observer for all: browsers handle many elements in one far better than many observers. */
const listeners = new WeakMap<Element, (isVisible: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Reports whether a part of it is visible, now and on every change. Call the result to stop. */
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
