import { messageOf } from '../server/lib/app-error.ts';
import type { Pace } from './pace.ts';
import type { Figure } from './report/figures.ts';

export type Part = (pace: Pace) => Promise<Figure[]>;

/**
 * Measures one part after the other; `measured` gets each at once, `failed` each one that threw.
 * False when any failed.
 */
export async function loopParts(
  parts: Readonly<Record<string, Part>>,
  pace: Pace,
  measured: (name: string, figures: Figure[]) => void,
  failed: (name: string, message: string) => void,
): Promise<boolean> {
  let isWhole = true;
  for (const [name, part] of Object.entries(parts)) {
    try {
      measured(name, await part(pace));
    } catch (error) {
      isWhole = false;
      failed(name, messageOf(error));
    }
  }
  return isWhole;
}
