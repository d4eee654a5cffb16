/** The task directory of a running loop that cannot be written, disappears, or is replaced. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { putSignal, signalText, startSilentLoop } from '../../support/auto/signal-files.ts';
import { ReadOnlyDirectory } from '../../support/drills/read-only-directory.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** An agent that ignores Ctrl-C and SIGTERM. */
const STUBBORN = "trap '' INT TERM; while :; do sleep 0.1; done";

it('FA5, LP40 when the stop file cannot be written, the agent is interrupted, then killed', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '300', LOOPWATCH_KILL_GRACE_MS: '300' });
  const { api } = await world.start();
  world.writeProgram('claude', STUBBORN);
  const directory = world.taskDir('web');
  await api.openSession('web', directory);
  expect((await api.startLoop('web', directory)).status).toBe(201);
  using readOnly = new ReadOnlyDirectory(directory);
  expect((await api.send('DELETE', '/api/sessions/web/task-auto')).status).toBe(202);
  await api.event('auto.ended');
  expect(existsSync(join(readOnly.path, STOP_FILE))).toBe(false);
  expect(await story(api)).toEqual([
    'auto.started',
    'auto.stop_requested user_stop',
    'auto.stop_escalated interrupt',
    'auto.stop_escalated kill',
    'auto.ended user_stop',
  ]);
  await until('the agent has ended', () => agentsIn(directory).length === 0);
  expect((await api.get('/api/sessions/web')).status).toBe(200);
});

it.each(['removed', 'removed and made again', 'moved and replaced'])(
  'FA21, LP13 a task directory that is %s ends the loop with dir_gone and is not read',
  async (how) => {
    await using world = new World();
    const { api } = await world.start();
    const directory = await startSilentLoop(world, api, 'web');
    putSignal(directory, signalText({ iteration: 1 }));
    await api.event('auto.signal');
    const other = `${directory}-other`;
    if (how !== 'removed') {
      mkdirSync(other);
      putSignal(other, signalText({ iteration: 7 }));
    }
    if (how === 'moved and replaced') renameSync(directory, `${directory}-away`);
    else rmSync(directory, { recursive: true });
    if (how !== 'removed') renameSync(other, directory);
    expect((await api.event('auto.ended')).data).toMatchObject({
      reason: 'dir_gone',
      iteration: 1,
    });
    expect(await story(api)).toEqual([
      'auto.started',
      'auto.signal check',
      'auto.stop_requested dir_gone',
      'auto.stop_escalated interrupt',
      'auto.ended dir_gone',
    ]);
    expect((await api.get('/api/sessions/web')).status).toBe(200);
  },
);

async function story(api: ApiClient): Promise<string[]> {
  const events = await api.events('&types=auto.*');
  return events.map(({ type, data }) => {
    const word = 'step' in data ? data.step : 'reason' in data ? data.reason : '';
    return `${type} ${String(word)}`.trim();
  });
}
