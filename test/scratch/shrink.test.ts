import { it } from 'vitest';
import { randomOperations, writeOperations, type Operation } from '../support/delivery-operation.ts';
import { playSchedule } from '../support/delivery-schedule.ts';
import { EventHome } from '../support/event-home.ts';
import { MemoryWire } from '../support/memory-wire.ts';
import { Random } from '../support/random.ts';

it('shrinks', async () => {
  using home = new EventHome();
  const { database } = home.open();
  let operations: Operation[] = randomOperations(new Random(Number(process.env['SEED'])));
  const fails = async (ops: Operation[]) => (await playSchedule(database, new MemoryWire(), ops)).length > 0;
  for (let changed = true; changed;) {
    changed = false;
    for (let i = 0; i < operations.length; i++) {
      const fewer = operations.filter((_, n) => n !== i);
      if (await fails(fewer)) { operations = fewer; changed = true; i--; continue; }
      const op = operations[i]!;
      if ('count' in op && op.count > 1) {
        const smaller = operations.map((o, n) => n === i ? { ...op, count: Math.floor(op.count / 2) } : o) as Operation[];
        if (await fails(smaller)) { operations = smaller; changed = true; }
      }
    }
  }
  console.log(writeOperations(operations));
  console.log((await playSchedule(database, new MemoryWire(), operations)).join('\n'));
});
