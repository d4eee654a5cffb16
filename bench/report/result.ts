import type { Figure } from './figures.ts';
import type { MachineFacts } from './machine.ts';

/** What one run measured, as stored in the JSON file. */
export interface BenchResult {
  machine: MachineFacts;
  quick: boolean;
  parts: Record<string, Figure[]>;
  /** By part: what others did on the machine, where that was too much to judge a figure. */
  noise: Record<string, string>;
}
