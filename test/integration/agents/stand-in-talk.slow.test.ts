/** The stand-in when it is talked to, in a session as a supervisor sees it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../support/git/git-repository.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { pressKeys } from '../../support/browser/press-keys.ts';
import {
  COMMIT,
  inputOf,
  keysReceived,
  openAgent,
  PLAN,
  QUESTION,
  requestOf,
  SAY,
  shows,
} from '../../support/terminals/talking-agent.ts';
import { rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

function record(world: World): Record<string, unknown> {
  const directory = join(world.root, 'claude', 'sessions');
  const [file = ''] = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as Record<string, unknown>;
}

async function open(world: World, talk: object[][], hasHooks = false): Promise<ApiClient> {
  const { api } = await world.start();
  await openAgent(world, api, { talk, hasHooks });
  return api;
}

it('SI12, SI15 each turn plays its own steps, /init too, and what it received is kept', async () => {
  const second = { do: 'say', lines: ['Now I am done.'] };
  await using world = new World();
  const api = await open(world, [[SAY, COMMIT], [second]]);
  expect(record(world)).toMatchObject({ status: 'idle' });
  await typeInto(api, 'web', 'Go on.');
  await shows(api, 'I have looked at it.');
  await until('it has committed', () =>
    git(join(world.root, 'tasks', 'one'), 'log', '--format=%s').startsWith('Do a part'),
  );
  await until('its turn is over', () => record(world)['status'] === 'idle');
  expect(await typeInto(api, 'web', '/init')).toBe('delivered');
  await shows(api, 'Now I am done.');
  await until('its turn is over', () => inputOf(world).length === 6);
  expect(inputOf(world)).toMatchObject([
    { event: 'text', text: 'Go on.', during: 'box' },
    { event: 'turn_began' },
    { event: 'turn_ended' },
    { event: 'text', text: '/init', during: 'box' },
    { event: 'turn_began' },
    { event: 'turn_ended' },
  ]);
});

it('SI13 /clear empties the screen and begins another conversation, without a turn', async () => {
  await using world = new World();
  const api = await open(world, [[SAY]]);
  await typeInto(api, 'web', 'Go on.');
  await shows(api, '✻ ');
  const { sessionId } = record(world);
  expect(await typeInto(api, 'web', '/clear')).toBe('delivered');
  const rows = await rowsOf(api, 'web');
  expect(rows.filter((row) => row.startsWith('❯ '))).toEqual(['❯ /clear']);
  expect(record(world)).toMatchObject({ status: 'idle' });
  expect(record(world)['sessionId']).not.toBe(sessionId);
  expect(inputOf(world).map(({ event }) => event)).toEqual([
    'text',
    'turn_began',
    'turn_ended',
    'text',
  ]);
});

it('SI14 it presents a plan, and Enter approves it', async () => {
  await using world = new World();
  const api = await open(world, [[PLAN, SAY]]);
  await typeInto(api, 'web', 'Plan it.');
  await shows(api, '❯ 1. Yes, and use auto mode');
  expect(record(world)).toMatchObject({ status: 'waiting', waitingFor: 'permission prompt' });
  await until('it is read as a plan', async () => {
    const { body } = await api.get('/api/sessions/web');
    return (body['agent'] as { cause: string }).cause === 'plan';
  });
  await pressKeys(world, '\r');
  await shows(api, 'I have looked at it.');
  await shows(api, "Approved Claude's plan");
  expect(keysReceived(world)).toEqual(['enter']);
});

it.each([
  ['ExitPlanMode', PLAN, { decision: 'allow' }, "Approved Claude's plan"],
  [
    'AskUserQuestion',
    QUESTION,
    { decision: 'allow', answers: { [QUESTION.question]: 'Blue' } },
    '→ Blue',
  ],
])('SI14 its hook answers %s', async (tool, step, answer, shown) => {
  await using world = new World();
  const api = await open(world, [[step, SAY]], true);
  await typeInto(api, 'web', 'Begin.');
  const { id } = await requestOf(api, tool);
  expect((await api.send('POST', `/api/attention/${id}/answer`, answer)).status).toBe(200);
  await shows(api, shown);
  await shows(api, 'I have looked at it.');
  expect(keysReceived(world)).toEqual([]);
});

it('SI14 a digit answers its question', async () => {
  await using world = new World();
  const api = await open(world, [[QUESTION, SAY]]);
  await typeInto(api, 'web', 'Ask.');
  await shows(api, '❯ 1. Red');
  expect(record(world)).toMatchObject({ status: 'waiting', waitingFor: 'input needed' });
  await pressKeys(world, 'x2');
  await shows(api, '→ Blue');
});
