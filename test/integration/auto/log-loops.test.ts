/** What happens to a loop is in the daemon's log too. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { logFile } from '../../../server/lib/log.ts';
import { putSignal, signalText, startSilentLoop } from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

interface Line {
  level: number;
  session?: string;
  event?: string;
  seq?: number;
  msg: string;
}

it('KE26 signals and the end of a loop are lines of the log, with their session and number', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  const lines = () =>
    readFileSync(logFile(world.home), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  putSignal(taskDir, signalText({ iteration: 1 }));
  const { seq } = await api.event('auto.signal');
  const signal = await until('its line', () => lines().find((line) => line.seq === seq));
  expect(signal).toMatchObject({ level: 30, session: 'web', event: 'auto.signal' });
  expect(signal.msg).toContain('1');
  await api.send('DELETE', '/api/sessions/web', undefined);
  const ended = await until('its end', () => lines().find(({ event }) => event === 'auto.ended'));
  expect(ended.session).toBe('web');
  const seqs = lines().flatMap((line) => line.seq ?? []);
  expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
});
