/** A run as its checkpoint: when it is saved, what it says, and the run that is taken from it. */
import { expect, it, onTestFinished } from 'vitest';
import { runChecks } from '../../../server/checks/host-check.ts';
import { loadCheckpoint } from '../../../server/checkpoints/load-checkpoint.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { adoptedRun } from '../../../server/runs/adopt-checkpoint.ts';
import { CheckpointKeeper } from '../../../server/runs/executor/checkpoint-keeper.ts';
import { checkpointOf } from '../../../server/runs/executor/run-checkpoint.ts';
import type { RunState } from '../../../server/runs/machine/run-state.ts';
import { newRunId } from '../../../server/runs/plan-run.ts';
import type { RunRecord } from '../../../server/runs/stores/run-record.ts';
import { Checkpoint } from '../../../shared/schema/runs/checkpoint.ts';
import { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import type { Interaction } from '../../../shared/schema/tasks/interaction.ts';
import { newHome } from '../../support/runs/checkpoint-home.ts';
import { exampleInteraction } from '../../support/tasks/example-task.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { checked, replied, RunLife } from '../../support/runs/run-life.ts';

const AT = '2026-01-02T05:00:00.000Z';
const REQUEST: RunRecord['request'] = {
  options: StartRun.parse({ prompt: 'Greet by name.', model: 'claude-x', max_minutes: 90 }),
  directory: '/',
  isRepository: false,
};

function recordOf(state: RunState): RunRecord {
  const written = { agentPlan: '- [ ] Greet', acceptedPlan: null, createdBy: null };
  return { id: 'one', request: REQUEST, state, ...written, createdAt: AT, updatedAt: AT };
}

function said(id: number, turn: number): Interaction {
  return { ...exampleInteraction(id), turn, tool: null, content: `word ${id}` };
}

function checkpointIn(state: RunState, interactions: readonly Interaction[] = []): Checkpoint {
  const record = recordOf(state);
  return checkpointOf({ home: '/home', record, interactions, checks: [], at: AT });
}

it('RN38 G-32 the published fields and no other, rounds from 0, the phase by when it began', () => {
  const life = new RunLife();
  life.wallMs += 5_000;
  life.begin().hear();
  life.wallMs += 60_000;
  const begun = checkpointIn(life.happen(replied()).state);
  expect(Object.keys(begun).sort()).toEqual(Object.keys(Checkpoint.shape).sort());
  expect(begun).toMatchObject({ version: 1, phase: 'execute', iteration: 0, model: 'claude-x' });
  expect(begun.original_start_time).toMatch(/Z$/);
  // From the start of the run, not the time spent in the phase.
  expect(begun.phase_started_offset).toBeGreaterThanOrEqual(65);
  life.wallMs += 600_000;
  expect(checkpointIn(life.state).phase_started_offset).toBe(begun.phase_started_offset);
  const fixing = life.hear().happen(replied()).happen(checked('a'));
  expect(checkpointIn(fixing.state)).toMatchObject({ phase: 'fix', iteration: 1 });
});

it('RN38 G-36 a cursor is the number of events delivered, and a resume delivers none of them again', () => {
  const { state } = RunLife.in('execute');
  const checkpoint = checkpointIn(state, [said(1, 1), said(2, 1), said(3, 2)]);
  const { plan_cursor, exec_cursor, review_cursor, fix_cursor } = checkpoint;
  expect([plan_cursor, exec_cursor, review_cursor, fix_cursor]).toEqual([2, 1, 0, 0]);
  const place = { directory: '/', isRepository: false };
  const taken = (more: object) =>
    adoptedRun({ ...checkpoint, ...more }, place, { home: newHome(), at: AT }).redelivered;
  expect(taken({})).toEqual({ plan: 0, execute: 0, review: 0, fix: 0 });
  expect(taken({ plan_cursor: 0 })).toEqual({ plan: 2, execute: 0, review: 0, fix: 0 });
  // One beyond its events was written by someone else.
  expect(taken({ exec_cursor: 99 })).toEqual({ plan: 0, execute: 0, review: 0, fix: 0 });
});

it('RN35 B4-7 failed rounds, time at work and limits do not start over', () => {
  const life = RunLife.in('execute');
  life.activeMs = 1_800_000;
  for (const failure of ['a', 'b']) {
    life
      .hear()
      .happen(replied())
      .happen(checked(failure, { changed: failure === 'a' }));
  }
  const { signatures, unchangedRounds, activeMs } = life.state;
  expect([signatures, unchangedRounds]).toEqual([['a', 'b'], 1]);
  const place = { directory: '/', isRepository: false };
  const { record } = adoptedRun(checkpointIn(life.state), place, { home: newHome(), at: AT });
  expect(record.state).toMatchObject({ signatures, unchangedRounds, activeMs, iteration: 2 });
  expect(record.request).toMatchObject({ limitsFrom: 'checkpoint', options: { max_minutes: 90 } });
});

it('RN11 B4-1 a run at work is saved every 30 seconds, one that is over is not', () => {
  const home = newHome();
  const clock = new ManualClock(Date.parse(AT));
  let { state } = RunLife.in('execute');
  let saves = 0;
  const nothing = { page: () => [], of: () => [] };
  const keeper = new CheckpointKeeper({
    home,
    clock,
    record: () => recordOf(state),
    interactions: nothing as never,
    checks: nothing as never,
    logger: { error: (told: { err: unknown }) => expect(told.err).toBeNull() } as never,
    log: { write: (act: (append: () => number) => number) => act(() => (saves += 1)) } as never,
  });
  onTestFinished(() => keeper.dispose());
  keeper.save();
  clock.advance(29_999);
  expect(saves).toBe(1);
  clock.advance(1);
  expect(saves).toBe(2);
  clock.advance(30_000);
  expect(loadCheckpoint(home, 'one').checkpoint_time).toBe('2026-01-02T05:01:00.000Z');
  const result = { status: 'done', reason: 'completed', error: null } as const;
  state = { ...state, phase: 'complete', now: { stage: 'over', result } };
  keeper.save();
  clock.advance(600_000);
  expect([saves, clock.pending]).toEqual([4, 0]);
});

it('RN2 B4-7 a check whose program is missing has failed, and no check proves nothing', async () => {
  const context = {
    directory: newHome(),
    checkout: null,
    mark: 'run-one-check',
    environment: { PATH: process.env['PATH'] },
    clock: systemClock,
    timeoutMs: 60_000,
    finished: () => undefined,
  };
  const { signal } = new AbortController();
  const check = {
    type: 'regression',
    name: 'coverage',
    command: ['no-such-program-of-ours'],
  } as const;
  expect(await runChecks([check], context, signal)).toMatchObject({ outcome: 'tests_failed' });
  expect(await runChecks([], context, signal)).toEqual({ outcome: 'none', detail: '' });
  const bare = RunLife.in('execute')
    .happen(replied())
    .happen(checked('', { outcome: 'none' }));
  expect(bare.hear().happen(replied()).state.proof).toBe('unproven');
});

it('RN37 B4-8 the ids of two runs differ, also of one second, of two days', () => {
  const at = Date.parse('2026-01-02T03:04:05Z');
  const ids = Array.from({ length: 100 }, () => newRunId(at));
  expect(new Set(ids).size).toBe(100);
  expect(ids[0]).toMatch(/^20260102-030405-[0-9a-f]{8}$/);
  expect(newRunId(at + 24 * 60 * 60_000)).toMatch(/^20260103-/);
});

it('RN5 G-37 six fix rounds in total and three times the same failure, unless the run names others', () => {
  const rounds = (options: object, failure: (round: number) => string) => {
    const life = RunLife.in('execute', options).happen(replied());
    for (let round = 0; life.place.endsWith('checking'); round += 1) {
      life.happen(checked(failure(round)));
      if (life.place.endsWith('talking')) life.hear().happen(replied());
    }
    return `${life.place} ${life.state.iteration}`;
  };
  const always = () => 'the same';
  const another = (round: number) => `failure ${round}`;
  expect(rounds({}, another)).toBe('review ending fix_limit 6');
  expect(rounds({}, always)).toBe('review ending stuck 2');
  expect(rounds({ max_fix_rounds: 1 }, another)).toBe('review ending fix_limit 1');
  expect(rounds({ same_failure_limit: 5 }, always)).toBe('review ending stuck 4');
});
