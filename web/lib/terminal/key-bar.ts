/** The keys that a phone's keyboard does not have, as what they type. */
export interface BarKey {
  label: string;
  /** Said in place of a label that is a sign. */
  name?: string;
  bytes: string;
}

export const BAR_KEYS: readonly BarKey[] = [
  { label: 'Esc', bytes: '\u001b' },
  { label: 'Tab', bytes: '\t' },
  { label: '⇧Tab', name: 'Shift Tab', bytes: '\u001b[Z' },
  { label: 'Ctrl-C', bytes: '\u0003' },
  { label: '←', name: 'Left', bytes: '\u001b[D' },
  { label: '↓', name: 'Down', bytes: '\u001b[B' },
  { label: '↑', name: 'Up', bytes: '\u001b[A' },
  { label: '→', name: 'Right', bytes: '\u001b[C' },
  { label: 'Enter', bytes: '\r' },
];
