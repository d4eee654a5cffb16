import type { AttentionItem } from '$shared/schema/attention/attention.ts';

/** The inbox is always read as a whole: the same items come as new objects. */
export function areSameItems(a: readonly AttentionItem[], b: readonly AttentionItem[]): boolean {
  return a.length === b.length && a.every((item, index) => isSameItem(item, b[index]));
}

function isSameItem(a: AttentionItem, b: AttentionItem | undefined): boolean {
  return (
    a === b ||
    (a.id === b?.id &&
      a.title === b.title &&
      a.detail === b.detail &&
      a.reason === b.reason &&
      (a.request === null) === (b.request === null))
  );
}
