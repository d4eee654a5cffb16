/**
 * A whole fleet under faults: three daemons as processes and a real NATS server, agents at work. After
 * every fault was healed, nothing is lost, doubled or out of order, and all hosts say the same.
 */
import { expect, it } from 'vitest';
import { type Fault, FLEET_FAULTS, HOST_FAULTS } from '../../support/fleet/break-fleet.ts';
import { FaultyFleet } from '../../support/fleet/faulty-fleet.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';

const COUNT = sized({ short: 16, middle: 300, long: 5_000 });
/** One host is cut off until the others call it unreachable: half a minute, so rarely. */
const LONG_CUT_EVERY = sized({ short: Infinity, middle: 60, long: 100 });
/** All copies are compared, and the figures printed. */
const FIGURES_EVERY = 100;
const DISK_KIB = sized({ short: 16, middle: 64, long: 256 }) * 1024;

it('FL1 FL5 FH5 FH8 FH13 FC11 no fault of a fleet loses or doubles an event or a command, or gives two hosts one branch', async () => {
  await seeded(async (random) => {
    await using fleet = await FaultyFleet.start(random, DISK_KIB);
    const counts = new Map<string, number>();
    let shown = 0;
    for (let round = 0, faults = 0; faults < COUNT; round += 1) {
      const kinds = kindsOf(round, random);
      const isLongCut = (round + 1) % LONG_CUT_EVERY === 0;
      const said = isLongCut ? 'long cut' : kinds.join(' and ');
      const place = `fault ${faults + 1}, ${said}`;
      await (isLongCut ? fleet.sufferLongCut() : fleet.suffer(kinds)).catch((error: unknown) => {
        throw new Error(place, { cause: error });
      });
      for (const kind of isLongCut ? [said] : kinds) {
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        faults += 1;
      }
      expect(fleet.doubles, place).toEqual([]);
      if (faults < Math.min(COUNT, shown + FIGURES_EVERY)) continue;
      shown = faults;
      await fleet.expectAllCopied();
      console.log(`${faults} faults`, Object.fromEntries(counts), fleet.figures());
    }
  });
});

/** Each kind once; from then on those of a host also at the same time. */
function kindsOf(round: number, random: Random): [Fault, ...Fault[]] {
  const first = [...HOST_FAULTS, ...FLEET_FAULTS][round];
  if (first !== undefined) return [first];
  if (random.chance(0.4)) return [random.pick(FLEET_FAULTS)];
  const more = Array.from({ length: random.int(0, 2) }, () => random.pick(HOST_FAULTS));
  return [random.pick(HOST_FAULTS), ...more];
}
