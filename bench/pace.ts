/** How long to measure: the rounds of alternating contenders, and the time of each. */

export interface Pace {
  isQuick: boolean;
  rounds: number;
  warmMs: number;
  measureMs: number;
}

export const FULL: Pace = { isQuick: false, rounds: 5, warmMs: 700, measureMs: 2_500 };
export const QUICK: Pace = { isQuick: true, rounds: 2, warmMs: 300, measureMs: 700 };
