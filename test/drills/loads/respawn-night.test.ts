/** A night under respawn: whole cycles, with everything that comes in between. */
import { expect, it } from 'vitest';
import type { ReceivedInput } from '../../../stand-in/files/input-log.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { sized } from '../../support/house/random.ts';
import { Respawning } from '../../support/respawn/respawning.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import {
  agentState,
  COMMIT,
  inputOf,
  keysReceived,
  openAgent,
  PLAN,
  QUESTION,
  requestOf,
  SAY,
  stageAgent,
  startAgent,
  textsReceived,
} from '../../support/terminals/talking-agent.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const CYCLES = sized({ short: 2, middle: 4, long: 24 });
const GRACE_MS = 2 * 60_000;
const WORK = Array.from({ length: 200 }, () => [SAY, COMMIT]);
/** Only the client's own word or a verdict begins a cycle. */
const CERTAIN = { min_idle_confidence: 100, breaker_after_cycles: 1, breaker_cooldown_ms: 60_000 };
const PERSON = ['/exit', 'Plan it.', 'Ask me.', 'Work a lot.'];

it('RS53 over a whole night nothing is sent twice, into a turn or into a dialog', async () => {
  await using world = new World();
  stageAgent(world);
  const first = await world.spawn();
  const verdicts = { idle: ['error', 'error', 'IDLE'] };
  await openAgent(world, first.api, { talk: WORK, more: { status_record: false, verdicts } });
  const early = new Respawning(first.api);
  await early.start({ inter_step_delay_ms: 3_000 });
  await early.reaches('sending_clear');
  await first.kill();

  const clock = new SkipClock();
  const { api } = await world.start(clock);
  const respawn = new Respawning(api);
  await respawn.sees('it waits', ({ block }) => block?.reason === 'restored');
  clock.skip(GRACE_MS);
  await respawn.cycles(1);

  await respawn.configure({ ...CERTAIN, idle_check_enabled: true, inter_step_delay_ms: 100 });
  for (const [errors, pauseMs] of [
    [1, 60_000],
    [2, 120_000],
  ] as const) {
    await respawn.sees(`${errors} errors`, ({ idle_check: { status, errors_in_a_row } }) => {
      return status === 'cooldown' && errors_in_a_row === errors;
    });
    clock.skip(pauseMs);
  }
  await respawn.cycles(2);

  for (let night = 0; night < CYCLES; night += 3) {
    await interrupt(world, api, respawn, 'Plan it.', PLAN);
    await requestOf(api, 'ExitPlanMode');
    await respawn.order('resume');
    await nextCycle(respawn);

    await interrupt(world, api, respawn, 'Ask me.', QUESTION);
    const { id } = await requestOf(api, 'AskUserQuestion');
    await respawn.order('resume');
    await respawn.sees('it waits', ({ block }) => block?.reason === 'waiting_for_person');
    const answer = { decision: 'allow', answers: { [QUESTION.question]: 'Blue' } };
    expect((await api.send('POST', `/api/attention/${id}/answer`, answer)).status).toBe(200);
    await nextCycle(respawn);

    await interrupt(world, api, respawn, 'Work a lot.', { do: 'limit', ms: 20_000 });
    await respawn.order('resume');
    // The daemon's clock is minutes ahead of the agent's: for it the limit may be over.
    await nextCycle(respawn);
  }

  await respawn.order('stop');
  await until('nothing is on its way', async () => (await agentState(api)) === 'ready');
  const heard = inputOf(world);
  const texts = textsReceived(world).filter((text) => !PERSON.includes(text));
  expect(texts).toEqual(await sentTexts(api, respawn));
  expect(textsInARow(heard)).toEqual([]);
  const accepted = await api.events('&types=respawn.auto_accepted');
  const byKey = accepted.filter(({ data }) => 'via' in data && data.via === 'key');
  // Its request may not be known yet when the plan is accepted.
  expect(keysReceived(world)).toEqual(byKey.map(() => 'enter'));
  const { cycles, cycle } = await respawn.view();
  const ended = cycles.filter(({ outcome }) => outcome !== 'stopped');
  expect(ended.length).toBeGreaterThanOrEqual(Math.min(cycle - 1, 19));
  for (const { outcome, steps } of ended) expect([outcome, steps.length]).toEqual(['completed', 4]);
});

/** A person starts another agent, between two cycles, and gives it something to do. */
async function interrupt(
  world: World,
  api: ApiClient,
  respawn: Respawning,
  text: string,
  step: object,
): Promise<void> {
  await until('it is paused between two cycles', async () => {
    await respawn.reaches('watching', 'confirming_idle');
    const { state } = (await respawn.order('pause')).body;
    if (state === 'watching' || state === 'confirming_idle') return true;
    await respawn.order('resume');
    return false;
  });
  await typeInto(api, 'web', '/exit');
  await until('the agent has ended', async () => (await agentState(api)) === 'exited');
  stageAgent(world, { talk: [[step, SAY, COMMIT], ...WORK] });
  await startAgent(world, api, true);
  await typeInto(api, 'web', text);
}

/** One that begins after now. */
async function nextCycle(respawn: Respawning): Promise<void> {
  const { cycle } = await respawn.view();
  await respawn.sees(`cycle ${cycle + 1}`, ({ cycles }) =>
    cycles.some((each) => each.cycle > cycle && each.ended_at !== null),
  );
}

/** In the order in which they were reported as sent. */
async function sentTexts(api: ApiClient, respawn: Respawning): Promise<string[]> {
  const [update = '', clear = '', init = '', kickstart = ''] = respawn.texts;
  const textOf = { update, clear, init, kickstart };
  const events = await api.events('&types=respawn.step_sent');
  return events.map(({ data }) => textOf[(data as unknown as { step: keyof typeof textOf }).step]);
}

/** Texts that came while a turn was under way. */
function textsInARow(heard: readonly ReceivedInput[]): string[] {
  return heard.flatMap((each) =>
    each.event === 'text' && each.during === 'turn' ? [each.text] : [],
  );
}
