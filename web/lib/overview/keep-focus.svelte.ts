import type { Attachment } from 'svelte/attachments';

/**
 * Takes a reader of what is listed; gives an attachment that gives the focus back to a session which
 * lost it because the list was put in another order: a browser lets go of an element that is moved.
 */
export function keepFocus(readList: () => unknown): Attachment<HTMLElement> {
  return (list) => {
    let last: HTMLElement | null = null;
    const remember = (event: FocusEvent): void => {
      last = event.target instanceof HTMLElement ? event.target : null;
    };
    // Somebody who goes elsewhere says where; an element that is moved says nothing.
    const forget = (event: FocusEvent): void => {
      if (event.relatedTarget !== null) last = null;
    };
    const leave = (): void => void (last = null);
    list.addEventListener('focusin', remember);
    list.addEventListener('focusout', forget);
    document.addEventListener('pointerdown', leave);
    document.addEventListener('keydown', leaveOnEscape);
    function leaveOnEscape(event: KeyboardEvent): void {
      if (event.key === 'Escape') leave();
    }
    // After each change of the list.
    $effect(() => {
      readList();
      if (last?.isConnected !== true || document.activeElement !== document.body) return;
      last.focus({ preventScroll: true });
    });
    return () => {
      list.removeEventListener('focusin', remember);
      list.removeEventListener('focusout', forget);
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('keydown', leaveOnEscape);
    };
  };
}
