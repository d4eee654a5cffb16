/** The colour of a tone follows from it in base.css. */
export type { Tone } from '$shared/tone.ts';

/** The shape beside a status word. */
export type Mark = 'disc' | 'ring' | 'half' | 'square' | 'clock' | 'cross' | 'dash' | 'tick';
