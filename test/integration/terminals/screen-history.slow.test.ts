/** Past screens, of a real daemon with a stand-in whose output changes. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PastScreen, ScreenEntry } from '../../../shared/schema/past-screen.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const say = (text: string) => ({ do: 'say', lines: [text] });
const step = (work_ms: number) => ({ do: 'step', work_ms, signal: CHECK });
const STAY = { do: 'silence', ms: 600_000 };

async function entries(api: ApiClient, session: string): Promise<ScreenEntry[]> {
  const { status, body } = await api.get(`/api/sessions/${session}/screens`);
  return status === 200 ? (body['screens'] as ScreenEntry[]) : [];
}

async function past(api: ApiClient, session: string, at: string | number): Promise<PastScreen> {
  const { status, body } = await api.get(`/api/sessions/${session}/screens/${at}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as unknown as PastScreen;
}

/** Waits for a stored snapshot that shows the text. */
async function keptWith(api: ApiClient, session: string, text: string): Promise<PastScreen> {
  return until(`a snapshot that shows ${text}`, async () => {
    for (const { number } of await entries(api, session)) {
      const screen = await past(api, session, number);
      if (screen.lines.join('\n').includes(text)) return screen;
    }
    return null;
  });
}

it('SH2, SH7, CL12 past screens of a loop survive kill -9 and the end of their session', async () => {
  await using world = new World();
  const first = await world.spawn();
  const scenario = {
    steps: [say('The first words'), step(300), say('The second words'), step(300), STAY],
  };
  await openShell(first.api, 'web', world.taskDir('task', scenario));
  await first.api.startLoop('web', world.taskDir('task'));
  await keptWith(first.api, 'web', 'The first words');
  const before = await keptWith(first.api, 'web', 'The second words');
  const known = await entries(first.api, 'web');
  await first.kill();

  const { api } = await world.spawn();
  const kept = await entries(api, 'web');
  expect(kept.map(({ number }) => number)).toEqual(
    expect.arrayContaining(known.map(({ number }) => number)),
  );
  // Its moment may be known only once the event that it led to is stored.
  const { moment: _, ...same } = before;
  expect(await past(api, 'web', before.number)).toMatchObject(same);
  // Later events have a higher seq than the snapshot.
  const signals = await api.events('&types=auto.signal');
  const led = kept.find(({ seq }) => seq < (signals[1]?.seq ?? 0));
  expect(led).toBeDefined();
  await api.send('DELETE', '/api/sessions/web');
  await api.event('session.closed');
  expect((await api.get('/api/sessions/web')).status).toBe(404);
  expect((await past(api, 'web', before.number)).lines).toEqual(before.lines);
  expect((await past(api, 'web', '2100-01-01T00:00:00Z')).number).toBe(
    (await entries(api, 'web'))[0]?.number,
  );
  expect(statSync(join(world.home, 'loopwatch.db')).mode & 0o777).toBe(0o600);

  const shown = await world.cli('screen', 'web', '--at', String(before.number));
  expect(shown).toMatchObject({ code: 0, stderr: `screen at ${before.at.slice(0, 19)}Z\n` });
  expect(shown.stdout).toContain('The second words');
  expect(await world.cli('screen', 'web', '--at', '2001-01-01')).toMatchObject({ code: 4 });
  expect(await world.cli('screen', 'web', '--at', 'soon')).toMatchObject({ code: 2 });
});

it('SH2 SH11 the screen before a crash is kept, and the last rows of the agent', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '60000' });
  const { api } = await world.start();
  const taskDir = world.taskDir('task', { steps: [say('About to fall'), STAY] });
  await openShell(api, 'web', taskDir);
  await api.startLoop('web', taskDir);
  // Watches the screen: the next unwatched snapshot may be seconds away.
  await until('its last words', async () => {
    const { body } = await api.get('/api/sessions/web/screen');
    return JSON.stringify(body['lines']).includes('About to fall');
  });
  for (const pid of agentsIn(taskDir)) process.kill(pid, 'SIGKILL');
  const crash = await api.event('auto.restart_scheduled');
  const led = await until('the snapshot of the crash', async () => {
    const found = (await entries(api, 'web')).find(({ moment }) => moment === 'crash');
    return found !== undefined && found.seq < crash.seq ? found : null;
  });
  expect((await past(api, 'web', led.number)).lines.join('\n')).toContain('About to fall');
});

it('SH5 without a history no screen is on the disk', async () => {
  await using world = new World({ LOOPWATCH_SCREEN_HISTORY: '0' });
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('task', { steps: [say('A secret'), step(300), STAY] }));
  await api.startLoop('web', world.taskDir('task'));
  await api.event('auto.signal');
  expect(await api.get('/api/sessions/web/screens')).toMatchObject({
    status: 200,
    body: { screens: [], next: null },
  });
  expect((await api.get('/api/status')).body['screens']).toEqual({ limit: 0, bytes: 0, lost: 0 });
});

it('SH6 a session that never existed is 404, and so is a snapshot that is not kept', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('task'));
  const refusals = [];
  for (const path of [
    'nobody/screens',
    'nobody/screens/1',
    'web/screens/999',
    'web/screens/soon',
  ]) {
    refusals.push(refusal(await api.get(`/api/sessions/${path}`)));
  }
  for (const query of ['?before=x', '?limit=0', '?limit=1001', '?more=1']) {
    refusals.push(refusal(await api.get(`/api/sessions/web/screens${query}`)));
  }
  expect(refusals).toEqual([
    '404 session_unknown',
    '404 session_unknown',
    '404 screen_unknown',
    '404 screen_unknown',
    ...Array.from({ length: 4 }, () => '400 invalid_query'),
  ]);
});

it('IN8, CL22 an agent at work is interrupted once, with the author in the event, and no other key is pressed', async () => {
  await using world = new World();
  const { api } = await world.start();
  const path = '/api/sessions/web/interrupt';
  await openShell(api, 'web', world.taskDir('task', { steps: [step(600_000)] }));
  expect(refusal(await api.send('POST', path))).toBe('409 not_ready');
  expect(refusal(await api.send('POST', '/api/sessions/nobody/interrupt'))).toBe(
    '404 session_unknown',
  );
  await api.startLoop('web', world.taskDir('task'));
  const state = async () => {
    const { body } = await api.get('/api/sessions/web');
    return (body['agent'] as { state: string } | null)?.state;
  };
  await until('it works', async () => (await state()) === 'working');
  expect(await world.cli('interrupt', 'web')).toMatchObject({ code: 0 });
  expect(refusal(await api.send('POST', path))).toBe('409 not_ready');
  await until(
    'it has stopped',
    async () => !['working', 'unknown'].includes((await state()) ?? ''),
  );
  const interruptions = await api.events('&types=session.interrupted');
  expect(interruptions.map(({ data }) => data)).toEqual([{ by: 'admin' }]);
});
