/** The keys of the inbox: they press what a person sees in the card that has the focus. */

/** Gives the card that the keyboard acts on, or null. */
export function cardOfFocus(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-item]') ?? null;
}

/** Takes a card and a key; presses what belongs to the key, and tells whether anything did. */
export function pressInCard(card: HTMLElement, key: string): boolean {
  if (/^[1-9]$/.test(key)) {
    const choice = card.querySelectorAll('[data-choice]')[Number(key) - 1];
    return pressControl(choice?.querySelector('button, input') ?? null);
  }
  if (key === 'd') return pressControl(card.querySelector('[data-dismiss] button'));
  if (key !== 'r') return false;
  const field = card.querySelector<HTMLElement>('input[data-reply]');
  field?.focus();
  return field !== null || pressControl(card.querySelector('[data-reply] button'));
}

function pressControl(control: Element | null): boolean {
  if (!(control instanceof HTMLElement)) return false;
  control.click();
  return true;
}
