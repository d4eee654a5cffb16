/** Respawn and what an agent asks: plans are accepted, everything else waits for a person. */
import { expect, test } from 'vitest';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { RespawnView } from '../../../shared/schema/loops/respawn.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { pressKeys } from '../../support/browser/press-keys.ts';
import { Respawning } from '../../support/respawn/respawning.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import {
  agentState,
  ASK,
  keysReceived,
  openAgent,
  PLAN,
  QUESTION,
  requestOf,
  SAY,
  shows,
  stageAgent,
  textsReceived,
} from '../../support/terminals/talking-agent.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

/** What it is asked after its first turn leads to plain work. */
const LATER = Array.from({ length: 40 }, () => [SAY]);

interface Stage {
  api: ApiClient;
  respawn: Respawning;
  clock: SkipClock;
}

/** An agent under respawn whose first turn is `step` and then some work. */
async function begin(
  world: World,
  step: object,
  hasHooks: boolean,
  change: object = {},
): Promise<Stage> {
  const clock = new SkipClock();
  const { api } = await world.start(clock);
  await openAgent(world, api, { talk: [[step, SAY], ...LATER], hasHooks });
  const respawn = new Respawning(api);
  expect((await respawn.start(change)).status).toBe(201);
  await typeInto(api, 'web', 'Begin.');
  return { api, respawn, clock };
}

async function accepted(api: ApiClient): Promise<EventRecord[]> {
  return api.events('&types=respawn.auto_accepted');
}

it('RS18, RS50 a plan is accepted through the client’s request, without a key', async () => {
  await using world = new World();
  // The request arrives whenever its hook has started.
  const { api, clock } = await begin(world, PLAN, true, { auto_accept_delay_ms: 60_000 });
  await requestOf(api, 'ExitPlanMode');
  // A request whose agent is not seen waiting is soon over, by a clock that is ahead of the agent.
  await until('its dialog', async () => (await agentState(api)) === 'waiting');
  await until('it has seen the plan', () => {
    clock.skip(1_000);
    return accepted(api).then(({ length }) => length > 0);
  });
  await shows(api, 'I have looked at it.');
  expect(await accepted(api)).toMatchObject([{ data: { via: 'hook' } }]);
  const { data } = await api.event('attention.cleared');
  expect(data).toMatchObject({ outcome: 'answered', by: 'respawn' });
  expect(keysReceived(world)).toEqual([]);
});

it('RS50 a plan of a client without hooks is accepted with one Enter', async () => {
  await using world = new World();
  const { api, respawn } = await begin(world, PLAN, false);
  await respawn.cycles(1);
  expect(keysReceived(world)).toEqual(['enter']);
  expect(await accepted(api)).toMatchObject([{ data: { via: 'key' } }]);
  expect(textsReceived(world).slice(0, 5)).toEqual(['Begin.', ...respawn.texts]);
});

it.each([
  ['with one Enter', false, ['enter']],
  ['through the request of the client', true, []],
])(
  'RS56 a plan in the turn of a step ends the cycle, and is accepted %s',
  async (_, hasHooks, keys) => {
    await using world = new World();
    const clock = new SkipClock();
    const { api } = await world.start(clock);
    await openAgent(world, api, { talk: [[PLAN, SAY], ...LATER], hasHooks });
    const respawn = new Respawning(api);
    await respawn.start({ auto_accept_delay_ms: hasHooks ? 60_000 : 500 });
    if (hasHooks) {
      await requestOf(api, 'ExitPlanMode');
      // As above: the clock runs ahead only of an agent that is seen waiting.
      await until('its dialog', async () => (await agentState(api)) === 'waiting');
    }
    let view: RespawnView | null = null;
    await until(
      'a plan is accepted',
      async () => {
        if (hasHooks) clock.skip(1_000);
        view = await respawn.view();
        return (await accepted(api)).length > 0;
      },
      () => view && { ...view, layers: [] },
    );
    const [second, first] = await respawn.cycles(2);
    expect([first?.outcome, first?.steps, second?.outcome]).toEqual(['planned', [], 'completed']);
    expect(keysReceived(world)).toEqual(keys);
    const [update, ...rest] = respawn.texts;
    expect(textsReceived(world).slice(0, 5)).toEqual([update, update, ...rest]);
  },
);

it('RS57 an agent that reports that it is done gets no cycle until its next turn', async () => {
  await using world = new World();
  const { api } = await world.start();
  const done = { do: 'say', lines: ['All parts are in.', 'STATUS: DONE'] };
  await openAgent(world, api, { talk: [[done], ...LATER], hasHooks: true });
  const respawn = new Respawning(api);
  await typeInto(api, 'web', 'Begin.');
  await shows(api, 'STATUS: DONE');
  await respawn.start();
  const isReported = ({ block }: { block: { reason: string } | null }) =>
    block?.reason === 'reported_done';
  const { block } = await respawn.sees('it is reported', isReported);
  expect(block?.evidence[0]).toMatchObject({ witness: 'hook', lines: ['STATUS: DONE'] });
  const { items } = (await api.get('/api/attention')).body as unknown as {
    items: { reason: string }[];
  };
  expect(items.map(({ reason }) => reason)).toEqual(['reported_done']);
  await typeInto(api, 'web', 'There is more.');
  await respawn.cycles(1);
  expect(textsReceived(world).slice(0, 6)).toEqual(['Begin.', 'There is more.', ...respawn.texts]);
});

it('RS50, RS55 a plan that is open when respawn starts is accepted too', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openAgent(world, api, { talk: [[PLAN, SAY], ...LATER] });
  await typeInto(api, 'web', 'Begin.');
  await shows(api, 'Ready to code?');
  const respawn = new Respawning(api);
  expect((await respawn.start()).status).toBe(201);
  await respawn.cycles(1);
  expect(keysReceived(world)).toEqual(['enter']);
});

it.each([
  ['question', QUESTION, { decision: 'allow', answers: { [QUESTION.question]: 'Blue' } }],
  ['permission', ASK, { decision: 'allow' }],
] as const)(
  'RS19, RS50 a %s waits for a person, who answers its request',
  async (_, step, answer) => {
    await using world = new World();
    const { api, respawn } = await begin(world, step, true);
    const { id } = await requestOf(api, step === ASK ? 'Bash' : 'AskUserQuestion');
    await waitsForPerson({ api, respawn });
    expect((await api.send('POST', `/api/attention/${id}/answer`, answer)).status).toBe(200);
    await respawn.cycles(1);
    expect(keysReceived(world)).toEqual([]);
    expect(textsReceived(world).slice(0, 5)).toEqual(['Begin.', ...respawn.texts]);
    expect(await accepted(api)).toEqual([]);
  },
);

it.each([
  ['question', QUESTION],
  ['permission', ASK],
])(
  'RS19, RS50 a %s of a client without hooks waits for a person at the keyboard',
  async (_, step) => {
    await using world = new World();
    const stage = await begin(world, step, false);
    await waitsForPerson(stage);
    await pressKeys(world, '1');
    await stage.respawn.cycles(1);
    expect(keysReceived(world)).toEqual(['1']);
    expect(textsReceived(world).slice(0, 5)).toEqual(['Begin.', ...stage.respawn.texts]);
    expect(await accepted(stage.api)).toEqual([]);
  },
);

async function waitsForPerson({ api, respawn }: Pick<Stage, 'api' | 'respawn'>): Promise<void> {
  const isBlocked = ({ block }: { block: { reason: string } | null }) =>
    block?.reason === 'waiting_for_person';
  const view = await respawn.sees('it waits for a person', isBlocked);
  expect(view).toMatchObject({ state: 'watching' });
  expect(await agentState(api)).toBe('waiting');
}

it('RS14, RS15, SI16 a model says when the agent is idle; three errors turn it off until a person turns it on', async () => {
  await using world = new World();
  const clock = new SkipClock();
  const verdicts = { idle: ['error', 'error', 'error', 'IDLE'] };
  const agent = { more: { status_record: false, verdicts } };
  stageAgent(world, agent);
  const { api } = await world.start(clock);
  await openAgent(world, api, agent);
  const respawn = new Respawning(api);
  // Only a verdict can begin a cycle.
  await respawn.start({ idle_check_enabled: true, min_idle_confidence: 100 });
  for (const [errors, pauseMs] of [
    [1, 60_000],
    [2, 120_000],
  ] as const) {
    await respawn.sees(`${errors} errors`, ({ idle_check: { status, errors_in_a_row } }) => {
      return status === 'cooldown' && errors_in_a_row === errors;
    });
    clock.skip(pauseMs);
  }
  const { idle_check } = await respawn.sees(
    'it is off',
    (view) => view.idle_check.status === 'disabled',
  );
  expect(idle_check).toMatchObject({ errors_in_a_row: 3, checks: 3 });
  // Shorter than a recovery from being stuck.
  clock.skip(5 * 60_000);
  expect(await respawn.view()).toMatchObject({ state: 'watching', cycle: 0 });
  expect(textsReceived(world)).toEqual([]);
  const path = '/api/sessions/web/respawn/checks';
  expect((await api.send('POST', path, { check: 'idle' })).body).toMatchObject({
    idle_check: { status: 'ready', errors_in_a_row: 0 },
  });
  const [cycle] = await respawn.cycles(1);
  expect(cycle).toMatchObject({ outcome: 'completed' });
  expect(textsReceived(world).slice(0, 4)).toEqual(respawn.texts);
});

it('RS14, SI16 while a model says that the agent works no cycle begins', async () => {
  await using world = new World();
  const clock = new SkipClock();
  const agent = { more: { status_record: false, verdicts: { idle: ['WORKING', 'IDLE'] } } };
  stageAgent(world, agent);
  const { api } = await world.start(clock);
  await openAgent(world, api, agent);
  const respawn = new Respawning(api);
  await respawn.start({ idle_check_enabled: true, idle_check_cooldown_ms: 300_000 });
  await respawn.sees('it pauses', (view) => view.idle_check.verdict === 'WORKING');
  clock.skip(200_000);
  expect(await respawn.view()).toMatchObject({ cycle: 0, idle_check: { status: 'cooldown' } });
  clock.skip(100_000);
  await respawn.cycles(1);
  expect(textsReceived(world).slice(0, 4)).toEqual(respawn.texts);
});

it('RS21, RS50 at a usage limit no cycle begins until the agent continues', async () => {
  await using world = new World();
  const { api, respawn } = await begin(world, { do: 'limit', ms: 20_000 }, true);
  await respawn.sees('it waits for the limit', ({ block }) => block?.reason === 'quota');
  expect(textsReceived(world)).toEqual(['Begin.']);
  await shows(api, 'I have looked at it.');
  await respawn.cycles(1);
  const wanted = ['Begin.', ...respawn.texts];
  await until('the agent has heard all', () => textsReceived(world).length >= wanted.length);
  expect(textsReceived(world).slice(0, wanted.length)).toEqual(wanted);
});
