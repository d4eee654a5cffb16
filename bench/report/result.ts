import type { Figure } from './figures.ts';
import type { MachineFacts } from './machine.ts';

/** What one run measured, as it is kept in the JSON file. */
export interface BenchResult {
  machine: MachineFacts;
  quick: boolean;
  parts: Record<string, Figure[]>;
}
