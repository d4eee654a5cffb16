import { entryFor } from '$shared/words/entry-for.ts';
import type { Tone } from '$shared/words/tone.ts';

/** base.css defines the colour of each tone. */
export type { Tone };

/** The shape next to a status label. */
export type Mark = 'disc' | 'ring' | 'half' | 'square' | 'clock' | 'cross' | 'dash' | 'tick';

/** A status by label, shape and colour, so that none of them carries it alone. */
export interface BadgeStyle {
  label: string;
  tone: Tone;
  mark: Mark;
}

/** Of a status; a newer host may have one that this version does not know. */
export function badgeFor<Word extends string>(
  table: Readonly<Record<Word, BadgeStyle>>,
  word: Word,
): BadgeStyle {
  return entryFor(table, word, (label) => ({ label, tone: 'idle', mark: 'dash' }));
}
