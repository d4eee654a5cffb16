/** Nights in fast forward: all that was promised for one holds in each of them. */
import { expect, it } from 'vitest';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import { playedNight } from '../night/played-night.ts';

const SIZE = sized({
  short: { loops: 3, tasks: 2 },
  middle: { loops: 4, tasks: 3 },
  long: { loops: 12, tasks: 6 },
});
const NIGHTS = sized({ short: 1, middle: 1, long: 10 });

it.each(Array.from({ length: NIGHTS }, (_, night) => night + 1))(
  'NI11 NI12 NI13 NI14 NI15 a night of eight hours keeps what was promised for it (night %i)',
  async () => {
    await seeded(async (random: Random) => {
      const { figures, spent, ...found } = await playedNight(random, SIZE);
      console.log(figures);
      expect(found).toEqual({ ledger: spent, budgets: [], reserve: [], alerts: [], report: [] });
    });
  },
);
