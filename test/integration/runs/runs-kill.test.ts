/** A daemon that is killed once in each phase of a run; the drill of runs uses random moments. */
import { expect, it } from 'vitest';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import { RunHome } from '../../support/runs/run-home.ts';
import { standInCalls } from '../../support/agents/stand-in-calls.ts';
import { World } from '../../support/daemon/world.ts';

it('RN10 B4-1 over a kill in each phase a run plans, executes, fails its review, fixes and completes', async () => {
  await using world = new World();
  let daemon = await world.spawn();
  const runs = new RunHome(world, daemon.api);
  const { id, prompt } = await runs.start(
    [
      // Turns outlive their daemon: this one is found at work, and answers to the next.
      ...WORK_PHASES.map((phase) => `in ${phase} turn 1 wait 2500`),
      'in plan turn 1 say # Plan\\n\\n- [ ] Greet',
      'in execute turn 1 write greeting.md Hello.',
      'in execute turn 1 commit Greet',
      'in execute turn 1 say It greets.',
      'in review turn 1 review fail The name is missing.',
      'in review turn 2 review pass Nothing is missing.',
      'in fix turn 1 write greeting.md Hello Ada.',
      'in fix turn 1 commit Greet by name',
      'in fix turn 1 say It greets by name.',
    ],
    { test_commands: ['true'] },
  );
  let plan: unknown = null;
  for (const phase of WORK_PHASES) {
    const isAtWork = `is at work in ${phase}`;
    await runs.sees(id, isAtWork, (run) => run.phase === phase && run.process_pid !== null);
    await daemon.kill();
    daemon = await world.spawn();
    runs.api = daemon.api;
    const found = await runs.get(id);
    expect([found.prompt, found.status]).toEqual([prompt, 'running']);
    if (!found.has_plan) continue;
    const { text } = (await runs.api.get(`/api/runs/${id}/plan`)).body;
    plan ??= text;
    expect(text).toBe(plan);
  }
  expect(await runs.until(id, 'done')).toMatchObject({ iteration: 1, proof: 'proven' });
  // One message for each visit: nothing was said twice.
  const said = standInCalls(world).map(({ message }) => message);
  expect([said.length, new Set(said).size]).toEqual([5, 5]);
  const events = await runs.api.events('&types=run.phase,run.done');
  const steps = events.map((event) => (event.type === 'run.phase' ? event.data.phase : event.type));
  expect(steps).toEqual([
    ...(['plan', 'execute', 'review', 'fix', 'review', 'complete', 'run.done'] as const),
  ]);
});
