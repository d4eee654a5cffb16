/** When a dispatch may begin under its budgets: the rule alone, and any order of dispatches. */
import { expect, it } from 'vitest';
import { type BudgetNow, decideBudget } from '../../../server/budgets/decide-budget.ts';
import { seeded } from '../../support/house/random.ts';

function budget(change: Partial<BudgetNow>): BudgetNow {
  return { id: 1, limit: 100, used: 0, greatest: 10, others: 0, ...change };
}

it.each([
  ['nothing used', {}, null],
  ['one below the limit', { used: 99 }, null],
  ['at the limit', { used: 100 }, 'spent'],
  ['over it, with others at work', { used: 120, others: 3 }, 'spent'],
  ['others may use what is left', { used: 80, others: 1 }, 'shared'],
  ['others leave something', { used: 79, others: 1 }, null],
  ['their size is unknown', { greatest: 0, others: 1 }, 'shared'],
  ['alone, its size unknown', { greatest: 0 }, null],
] as const)('BG2 BG3 a dispatch with %s', (_, change, kind) => {
  expect(decideBudget([budget(change)])?.kind ?? null).toBe(kind);
});

it('BG2 any of several budgets holds; a spent one is named first', () => {
  const free = budget({ id: 1 });
  const shared = budget({ id: 2, used: 95, others: 1 });
  const spent = budget({ id: 3, used: 100 });
  expect(decideBudget([])).toBeNull();
  expect(decideBudget([free, shared])).toEqual({ kind: 'shared', id: 2 });
  expect(decideBudget([free, shared, spent])).toEqual({ kind: 'spent', id: 3 });
});

it('BG3 in any order of dispatches the limit is passed by one of them at most', async () => {
  await seeded((random) => {
    for (let life = 0; life < 300; life += 1) {
      const limit = random.int(20, 400);
      const most = random.int(2, 40);
      const slots = random.int(1, 8);
      let [used, greatest, begun] = [0, 0, 0];
      const atWork: number[] = [];
      for (let step = 0; step < 400; step += 1) {
        const isEnd = atWork.length === slots || (atWork.length > 0 && random.chance(0.4));
        if (isEnd) {
          const [amount = 0] = atWork.splice(random.int(0, atWork.length - 1), 1);
          used += amount;
          greatest = Math.max(greatest, amount);
        } else if (
          decideBudget([{ id: 1, limit, used, greatest, others: atWork.length }]) === null
        ) {
          // Between half of the most and the most: none is more than twice another.
          atWork.push(random.int(Math.ceil(most / 2), most));
          begun += 1;
        }
      }
      const total = atWork.reduce((sum, amount) => sum + amount, used);
      expect(total).toBeLessThan(limit + most);
      // It is not kept by doing nothing.
      expect(begun).toBeGreaterThan(0);
      expect(total).toBeGreaterThanOrEqual(Math.min(limit, most));
    }
  });
});
