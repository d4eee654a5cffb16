/**
 * A whole fleet under faults: three daemons as processes and a real NATS server, agents at work. After
 * every fault was healed, nothing is lost, doubled or out of order, and all hosts say the same.
 */
import { expect, it } from 'vitest';
import { type Fault, FAULTS, FaultyFleet } from '../../support/fleet/faulty-fleet.ts';
import { seeded, sized } from '../../support/house/random.ts';

const COUNT = sized({ short: 12, middle: 40, long: 5_000 });
/** A host is cut off until the others call it unreachable: half a minute, so rarely. */
const LONG_CUT_EVERY = sized({ short: Infinity, middle: 20, long: 100 });
/** All copies are compared, and the figures printed. */
const FIGURES_EVERY = 100;
const DISK_KIB = sized({ short: 16, middle: 32, long: 256 }) * 1024;

it('FL1 FL5 FH5 FH8 FH13 FC11 no fault of a fleet loses or doubles an event or a command, or gives two hosts one branch', async () => {
  await seeded(async (random) => {
    await using fleet = await FaultyFleet.start(random, DISK_KIB);
    const counts = new Map<string, number>();
    for (let fault = 1; fault <= COUNT; fault += 1) {
      const kind = fault % LONG_CUT_EVERY === 0 ? 'long cut' : random.pick(kindsOf(fault));
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      await fleet.suffer(kind).catch((error: unknown) => {
        throw new Error(`fault ${fault}, ${kind}`, { cause: error });
      });
      expect(fleet.doubles, `fault ${fault}, ${kind}`).toEqual([]);
      if (fault % FIGURES_EVERY !== 0 && fault !== COUNT) continue;
      await fleet.expectAllCopied();
      console.log(`${fault} faults`, Object.fromEntries(counts), fleet.figures());
    }
  });
});

/** Each kind once before any comes again. */
function kindsOf(fault: number): readonly Fault[] {
  const first = FAULTS[fault - 1];
  return first === undefined ? FAULTS : [first];
}
