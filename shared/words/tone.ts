/** How much something matters. */
export type Tone = 'good' | 'work' | 'wait' | 'fail' | 'idle';
