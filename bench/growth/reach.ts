import { messageOf } from '../../server/lib/app-error.ts';

/** Enough to use both cores while one start waits for its terminal. */
const AT_ONCE = 8;

export interface Reached {
  size: number;
  /** Why there are no more; null when all were started. */
  failure: string | null;
}

/** Starts the numbers from `from` up to `to`, several at once, until one fails. */
export async function reach(
  from: number,
  to: number,
  start: (number: number) => Promise<unknown>,
): Promise<Reached> {
  const reached: Reached = { size: from, failure: null };
  let next = from;
  const startOneByOne = async () => {
    while (next < to && reached.failure === null) {
      const number = next;
      next += 1;
      try {
        await start(number);
        reached.size += 1;
      } catch (error) {
        reached.failure ??= messageOf(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, startOneByOne));
  return reached;
}
