import type { Tone } from '$shared/words/tone.ts';

/** The colour of a tone follows from it in base.css. */
export type { Tone };

/** The shape beside a status word. */
export type Mark = 'disc' | 'ring' | 'half' | 'square' | 'clock' | 'cross' | 'dash' | 'tick';

/** How something stands, by word, shape and colour, so that none of them carries it alone. */
export interface BadgeStyle {
  label: string;
  tone: Tone;
  mark: Mark;
}
