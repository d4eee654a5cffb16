/** Questions shared by callers that ask at the same time. */
import { expect, it } from 'vitest';
import { sharedNext } from '../../../server/lib/shared-next.ts';

/** Answers with its number when it is released. */
function questions() {
  const asked: ((outcome: 'answer' | 'fail') => void)[] = [];
  const ask = async () =>
    new Promise<number>((resolve, reject) => {
      const number = asked.length;
      asked.push((outcome) =>
        outcome === 'answer' ? resolve(number) : reject(new Error(`no ${number}`)),
      );
    });
  return { asked, ask };
}

const turn = async () => new Promise(setImmediate);

it('UL7 everyone who asks while a list is read shares the next one, and no one gets an older one', async () => {
  const { asked, ask } = questions();
  const list = sharedNext(ask);
  const first = list();
  await turn();
  const later = Array.from({ length: 200 }, async () => list());
  await turn();
  expect(asked.length).toBe(1);
  asked[0]?.('answer');
  expect(await first).toBe(0);
  await turn();
  expect(asked.length).toBe(2);
  const last = list();
  asked[1]?.('answer');
  expect(new Set(await Promise.all(later))).toEqual(new Set([1]));
  await turn();
  asked[2]?.('answer');
  expect(await last).toBe(2);
});

it('UL7 a list that failed fails for those who shared it, and the next one is read', async () => {
  const { asked, ask } = questions();
  const list = sharedNext(ask);
  const failed = Promise.allSettled([list(), list()]);
  await turn();
  const next = list();
  asked[0]?.('fail');
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  asked[1]?.('answer');
  expect(await next).toBe(1);
});
