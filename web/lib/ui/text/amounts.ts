/** Formats of what a task uses. */

/** "830", "12.4 k" or "3.1 M". */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const [amount, unit] = tokens < 999_950 ? [tokens / 1000, 'k'] : [tokens / 1_000_000, 'M'];
  return `${amount.toFixed(amount < 100 ? 1 : 0)} ${unit}`;
}

/** With as many decimals as are useful. */
export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '< $0.01';
  return `$${dollars.toFixed(dollars < 100 ? 2 : 0)}`;
}

/** "0.8 s", "14 s" or "3 min 5 s". */
export function formatSpan(milliseconds: number): string {
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

export function count(amount: number, word: string): string {
  return `${amount.toLocaleString('en')} ${word}${amount === 1 ? '' : 's'}`;
}

/** "1st", "2nd", "11th". */
export function ordinal(place: number): string {
  const tens = place % 100;
  const ends: Record<number, string> = { 1: 'st', 2: 'nd', 3: 'rd' };
  return `${place}${tens > 10 && tens < 14 ? 'th' : (ends[place % 10] ?? 'th')}`;
}
