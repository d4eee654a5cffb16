/** A run whose context fills up in a phase: a real daemon, real git, the stand-in as the agent. */
import { expect, it } from 'vitest';
import { RunHome } from '../../support/runs/run-home.ts';
import { standInCalls } from '../../support/agents/stand-in-calls.ts';
import { World } from '../../support/daemon/world.ts';

it('CX9 a phase that fills its context continues in a second conversation, with the answer that was planned', async () => {
  await using world = new World();
  const runs = new RunHome(world, (await world.start()).api);
  const { id } = await runs.start([
    'in execute turn 1 write greeting.md Hello.',
    'in execute turn 1 context 90',
    'in execute turn 1 say It greets. Should I also write a test?',
    'in handover turn 1 context 10',
    'in handover turn 1 say Every item of the plan is done.',
  ]);
  expect(await runs.until(id, 'done')).toMatchObject({ iteration: 0 });
  const events = await runs.api.events('&types=run.context');
  const decided = { run: id, phase: 'execute', step: 'fresh', percent: 90 };
  expect(events.map(({ data }) => data)).toEqual([decided]);
  const calls = standInCalls(world);
  expect(calls.map(({ argv }) => argv[0])).toEqual(['-p', '-p', '-p', '-p']);
  const opening = calls[2]?.message ?? '';
  expect(opening).toMatch(/^Do the task below/);
  expect(opening).toContain('> It greets. Should I also write a test?');
  expect(opening).toMatch(/The answer to your last message:\n\n\S/);
});
