/** Whether a task directory may be touched: not while it does not answer, and at once otherwise. */
import { expect, it } from 'vitest';
import { DirectoryProbe } from '../../../server/auto/directory/directory-probe.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

it('LP14 a directory may be touched while its probe is new, not while the probe hangs', async () => {
  const clock = new ManualClock();
  let answer: (identity: string) => void = () => undefined;
  const identity = new Promise<string>((resolve) => (answer = resolve));
  const directory = { taskDir: '/srv/web', dirIdentity: '1:2' };
  const probe = new DirectoryProbe(directory, { readDirectory: async () => identity, clock });
  const seen = [probe.answers];
  const status = probe.status();
  seen.push(probe.answers);
  clock.advance(300);
  seen.push(probe.answers);
  answer('1:2');
  expect(await status).toBe('same');
  seen.push(probe.answers);
  expect(seen).toEqual([true, true, false, true]);
});
