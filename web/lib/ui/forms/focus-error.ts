/** The first error of a form: unfolded, focused and in sight. */

const WRONG = '[aria-invalid=true], [data-invalid]';
const CONTROL = 'input, select, textarea, button';

/** Without a wrong field, the form's own error is scrolled to. */
export function focusError(form: HTMLElement): void {
  const first = form.querySelector<HTMLElement>(WRONG);
  if (first === null) {
    form.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' });
    return;
  }
  // A marked group has a wrong control in it, or none that can be named.
  const wrong = first.querySelector<HTMLElement>('[aria-invalid=true]') ?? first;
  const control = wrong.matches(CONTROL) ? wrong : wrong.querySelector<HTMLElement>(CONTROL);
  for (let fold = wrong.closest('details'); fold !== null;) {
    fold.open = true;
    fold = fold.parentElement?.closest('details') ?? null;
  }
  control?.focus({ preventScroll: true });
  wrong.scrollIntoView({ block: 'center' });
}
