import { messageOf } from '../server/lib/app-error.ts';
import type { Pace } from './pace.ts';
import type { Figure } from './report/figures.ts';
import { machineNoise, type Span } from './rig/machine-noise.ts';

export type Part = (pace: Pace) => Promise<Figure[]>;

/**
 * Measures one part after the other; `measured` gets each at once, with what others did on the machine
 * where that was too much to judge it; `failed` gets each one that threw. False when any failed.
 */
export async function loopParts(
  parts: Readonly<Record<string, Part>>,
  pace: Pace,
  watchMachine: () => Promise<Span>,
  measured: (name: string, figures: Figure[], noise: string | null) => void,
  failed: (name: string, message: string) => void,
): Promise<boolean> {
  let isWhole = true;
  for (const [name, part] of Object.entries(parts)) {
    try {
      const before = await watchMachine();
      const figures = await part(pace);
      measured(name, figures, machineNoise(before, await watchMachine()));
    } catch (error) {
      isWhole = false;
      failed(name, messageOf(error));
    }
  }
  return isWhole;
}
