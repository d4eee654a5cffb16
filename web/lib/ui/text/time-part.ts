/** `fail-faint` and `rest-faint` are second parts of the same tone. */
export type TimeLook = 'work' | 'wait' | 'fail' | 'fail-faint' | 'rest' | 'rest-faint';

/** A part of a time bar. `text`: how long, and at what. Below a second it is left out. */
export interface TimePart {
  seconds: number;
  text: string;
  look: TimeLook;
}
