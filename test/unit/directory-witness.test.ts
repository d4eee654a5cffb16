/** Whether a task directory may be touched: not while it does not answer, and at once otherwise. */
import { expect, it } from 'vitest';
import { DirectoryWitness } from '../../server/auto/directory-witness.ts';
import { ManualClock } from '../support/manual-clock.ts';

it('LP14 a directory may be touched while its probe is new, not while the probe hangs', async () => {
  const clock = new ManualClock();
  let answer: (identity: string) => void = () => undefined;
  const identity = new Promise<string>((resolve) => (answer = resolve));
  const directory = { taskDir: '/srv/web', dirIdentity: '1:2' };
  const witness = new DirectoryWitness(directory, { readDirectory: async () => identity, clock });
  const seen = [witness.answers];
  const sight = witness.sight();
  seen.push(witness.answers);
  clock.advance(300);
  seen.push(witness.answers);
  answer('1:2');
  expect(await sight).toBe('same');
  seen.push(witness.answers);
  expect(seen).toEqual([true, true, false, true]);
});
