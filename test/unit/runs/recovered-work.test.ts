/** What a new daemon continues: first it ends what was left running, and a stop may come meanwhile. */
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freshRun } from '../../../server/runs/machine/fresh-run.ts';
import type { RunState } from '../../../server/runs/machine/run-state.ts';
import { RunEffects } from '../../../server/runs/executor/run-effects.ts';
import { freshTask } from '../../../server/tasks/machine/fresh-task.ts';
import { type Now as TaskNow, NOTHING } from '../../../server/tasks/machine/task-state.ts';
import { TaskEffects } from '../../../server/tasks/executor/task-effects.ts';
import { TurnWork } from '../../../server/turns/turn-work.ts';
import { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

afterEach(() => void vi.restoreAllMocks());

/** Leftovers that run until `release`, and everything that is done and reported meanwhile. */
class Left {
  /** All work begins with the worktrees. */
  readonly done: string[] = [];
  readonly submitted: string[] = [];
  release: () => void = () => undefined;

  constructor() {
    const left = new Promise<void>((resolve) => (this.release = resolve));
    vi.spyOn(TurnWork.prototype, 'endLeftChecks').mockReturnValue(left);
  }

  options(record: object): never {
    const worktree = (name: string) => () => {
      this.done.push(name);
      return name === 'of' ? [] : Promise.resolve(true);
    };
    return {
      clock: new ManualClock(),
      logger: { error: () => undefined },
      record: () => record,
      submit: ({ kind }: { kind: string }) => Promise.resolve(void this.submitted.push(kind)),
      worktrees: new Proxy({}, { get: (_, name) => worktree(String(name)) }),
    } as never;
  }
}

const settle = async () => new Promise((resolve) => setTimeout(resolve, 20));

function recoverRun(left: Left, now: RunState['now']): RunEffects {
  const options = StartRun.parse({ prompt: 'Greet by name.', merge_into: 'main' });
  const state = { ...freshRun(0), now };
  const request = { options, directory: tmpdir(), isRepository: true };
  const effects = new RunEffects(left.options({ id: 'r1', request, state }));
  effects.recover(state);
  return effects;
}

function recoverTask(left: Left, now: TaskNow): TaskEffects {
  const state = { ...freshTask(), ...now };
  const criteria = { test_commands: null, gates: [] };
  const plan = { rootFolder: tmpdir(), projects: [], useWorktree: true, criteria };
  const effects = new TaskEffects(left.options({ id: 't1', name: 'fix', plan, state }));
  effects.recover(state);
  return effects;
}

describe.each<[string, (left: Left) => RunEffects | TaskEffects]>([
  ['merge of a run', (left) => recoverRun(left, { stage: 'merging', turn: null })],
  ['preparation of a run', (left) => recoverRun(left, { stage: 'preparing' })],
  ['check of a run', (left) => recoverRun(left, { stage: 'checking' })],
  [
    'preparation of a task',
    (left) => recoverTask(left, { ...NOTHING, stage: 'preparing', status: 'RUNNING' }),
  ],
  [
    'test of a task',
    (left) => recoverTask(left, { ...NOTHING, stage: 'testing', status: 'TESTING' }),
  ],
])('the %s', (_what, recover) => {
  it('RC3, RN34 does not begin after a stop, which waits for what was left running', async () => {
    const left = new Left();
    const effects = recover(left);
    effects.perform({ kind: 'end' });
    await settle();
    expect([effects.isEnding, left.submitted]).toEqual([true, []]);
    left.release();
    await settle();
    expect([left.done, left.submitted]).toEqual([[], ['ended']]);
  });

  it('RC3, RN34 does not begin after the daemon has stopped', async () => {
    const left = new Left();
    const effects = recover(left);
    const disposed = effects.dispose();
    left.release();
    await disposed;
    await settle();
    expect([left.done, left.submitted]).toEqual([[], []]);
  });

  it('RC3, RN34 begins without a stop once nothing is left running', async () => {
    const left = new Left();
    recover(left);
    await settle();
    expect(left.done).toEqual([]);
    left.release();
    await vi.waitFor(() => {
      expect(left.done).not.toEqual([]);
    });
  });
});
