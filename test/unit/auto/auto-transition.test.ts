/** The rules of the auto loop, step by step under a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { nextDeadline } from '../../../server/auto/machine/transition.ts';
import { AGENT, Life, POLICY, SEEN } from '../../support/auto/loop-life.ts';

describe('iterations', () => {
  it('LP39 asks to stop at the limit and not one step before', () => {
    const life = Life.running({ maxIterations: 3 }).signal({ iteration: 2 });
    expect(life.said).toEqual(['signal check']);
    life.signal({ iteration: 3 });
    expect(life.said.slice(1)).toEqual(['signal check', 'stop_requested max_iterations']);
    expect(life.done).toEqual(['write_stop_file']);
  });

  it('LP39 lets the report follow a merge that reaches the limit', () => {
    const life = Life.running({ maxIterations: 3 });
    life.signal({ step: 'merge', result: 'success', next: 'report', iteration: 3 });
    expect(life.state?.status).toBe('running');
  });

  it('LP5 never counts backwards', () => {
    const life = Life.running().signal({ iteration: 5 }).signal({ iteration: 2 });
    expect(life.state?.iteration).toBe(5);
  });

  it('LP5 leaves the count alone when a signal names no iteration', () => {
    const life = Life.running({ iteration: 4 }).signal({ iteration: undefined });
    expect(life.state).toMatchObject({ iteration: 4, lastSignal: { step: 'check' } });
  });

  it.each([
    ['from the start', 1, 8],
    ['on from where it was', 8, 8],
  ])('LP5 continues to count when a restarted agent counts %s', (_, reported, expected) => {
    const life = Life.running({ iteration: 7, launchCount: 1 });
    life.observe('gone').tick(5_000).meet({ kind: 'agent_seen', process: AGENT });
    expect(life.signal({ iteration: reported }).state?.iteration).toBe(expected);
  });
});

describe('time limit', () => {
  it('LP6 stops at the limit by the timer alone', () => {
    const life = Life.running({ timeoutMinutes: 1 });
    expect(life.state && nextDeadline(life.state, POLICY)).toBe(60_000);
    expect(life.tick(59_999).said).toEqual([]);
    expect(life.tick(1).said).toEqual(['stop_requested timeout']);
  });

  it('LP6 does not count quota waits', () => {
    const life = Life.running({ timeoutMinutes: 1, quotaWaitTotalMs: 600_000 });
    expect(life.tick(659_999).said).toEqual([]);
    expect(life.tick(1).said).toEqual(['stop_requested timeout']);
  });

  it('LP6 also ends an agent that announced its end and continues', () => {
    const life = Life.running({ timeoutMinutes: 1 });
    life.signal({ step: 'report', result: '(generated)', next: '(stop)' });
    expect(life.tick(60_000).said.at(-1)).toBe('stop_requested timeout');
  });

  it('LP6 applies a lowered limit at once', () => {
    const life = Life.running().tick(120_000);
    life.meet({ kind: 'limits', timeoutMinutes: 2 });
    expect(life.said).toEqual(['limits_changed', 'stop_requested timeout']);
  });
});

describe('stop', () => {
  it('LP40 escalates from file to interrupt to kill, each once and with an event', () => {
    const life = Life.running().stop().tick(119_999).tick(1);
    life.observe('working', 29_999).observe('working', 1).observe('working', 30_000);
    expect(life.said).toEqual([
      'stop_requested user_stop',
      'stop_escalated interrupt',
      'stop_escalated kill',
    ]);
    expect(life.done).toEqual(['write_stop_file', 'interrupt', 'end_run', 'end_run']);
    life.meet({ kind: 'run_ended', error: null });
    expect(life.said.at(-1)).toBe('ended user_stop');
  });

  it('LP23 kills nothing on one witness, and asks a person', () => {
    const life = Life.running().stop().tick(120_000).tick(30_000);
    expect(life.done).toEqual(['write_stop_file', 'interrupt']);
    const alone = SEEN.witnesses.slice(0, 1);
    life.meet({ ...SEEN, witnesses: [...alone, ...alone] });
    expect(life.done).toEqual(['write_stop_file', 'interrupt']);
    expect(life.state?.wait).toMatchObject({ reason: 'kill_withheld' });
    life.meet(SEEN, 30_000);
    expect(life.done.at(-1)).toBe('end_run');
  });

  it('LP31 withholds the kill for one more grace, then names the process', () => {
    const life = Life.running().stop().tick(120_000).tick(30_000);
    const alone = { ...SEEN, witnesses: SEEN.witnesses.slice(0, 1) };
    life.meet(alone).meet(alone, 30_000);
    expect(life.said.at(-1)).toBe('failed kill_withheld');
    expect(life.state?.error).toContain(`ps -fp ${AGENT.pid}`);
  });

  it.each([
    ['was ordered', (life: Life) => life.tick(30_000).observe('working')],
    ['found the agent gone', (life: Life) => life.observe('gone')],
  ])('LP30 LP31 a kill that %s needs no witness to continue', (_, order) => {
    const life = order(Life.running().stop().tick(120_000));
    expect(life.done.at(-1)).toBe('end_run');
    const blind = { ...SEEN, agent: 'unknown' as const, witnesses: [] };
    life.meet(blind, 30_000).meet(blind, 30_000).meet(blind, 30_000);
    expect(life.state).toMatchObject({ status: 'stopping', wait: { reason: 'user_stop' } });
    expect(life.meet({ kind: 'run_ended', error: null }).said.at(-1)).toBe('ended user_stop');
  });

  it('LP32 ends what an interrupted agent left before the loop is over', () => {
    const life = Life.running().stop().tick(120_000).observe('gone');
    expect(life.done.at(-1)).toBe('end_run');
    expect(life.state?.status).toBe('stopping');
    expect(life.meet({ kind: 'run_ended', error: null }).said.at(-1)).toBe('ended user_stop');
  });

  it('LP53 ends nothing of an agent that stopped when it was asked', () => {
    const life = Life.running().stop().observe('gone');
    expect(life.said.at(-1)).toBe('ended user_stop');
    expect(life.done).toEqual(['write_stop_file']);
  });

  it('LP35 keeps that the stop file could not be written', () => {
    const life = Life.running().stop();
    life.meet({ kind: 'stop_file_failed', detail: 'no stop file' });
    const lines = life.state?.stop?.evidence.flatMap((evidence) => evidence.lines);
    expect(lines).toContain('no stop file');
  });

  it('LP30 takes an unknown agent for neither idle nor exited', () => {
    const life = Life.running().stop();
    life.meet({ ...SEEN, agent: 'unknown', taskDir: 'unknown' }, 60_000);
    life.meet({ ...SEEN, agent: 'unknown', taskDir: 'unknown' }, 60_000);
    expect(life.said).toEqual(['stop_requested user_stop', 'stop_escalated interrupt']);
  });

  it('LP63 records each person who asks during a stop of another, and changes nothing else', () => {
    const life = Life.running({ timeoutMinutes: 1 }).tick(60_000);
    const due = life.state?.dueMs;
    const ask = (author: string) =>
      life.meet({ kind: 'stop', reason: 'user_stop', by: 'person', author });
    ask('Mia');
    expect(life.lastEvents).toMatchObject([{ data: { by: 'person', author: 'Mia' } }]);
    expect(ask('Mia').lastEvents).toEqual([]);
    expect(ask('Ada').lastEvents).toMatchObject([{ data: { author: 'Ada' } }]);
    expect(life.state).toMatchObject({
      dueMs: due,
      stop: { reason: 'timeout', by: 'daemon', author: 'Mia', step: 'asked' },
    });
    expect(life.state?.stop?.evidence.flatMap(({ lines }) => lines)).toEqual([
      expect.stringContaining('min elapsed') as string,
      'requested by Mia',
      'requested by Ada',
    ]);
    expect(life.done).toEqual(['write_stop_file']);
    expect(life.observe('gone').said.at(-1)).toBe('ended timeout');
  });

  it('LP36 does nothing on a second stop', () => {
    expect(Life.running().stop().stop().said).toEqual(['stop_requested user_stop']);
  });

  it('LP40 keeps the first reason', () => {
    const life = Life.running({ timeoutMinutes: 1 }).tick(60_000).stop().observe('gone');
    expect(life.said.filter((said) => said !== 'stop_requested user_stop')).toEqual([
      'stop_requested timeout',
      'ended timeout',
    ]);
  });

  it('LP40 ends a loop that waits for its restart at once', () => {
    const life = Life.running().observe('gone').stop();
    expect(life.said.slice(1)).toEqual(['stop_requested user_stop', 'ended user_stop']);
    expect(life.done).toEqual([]);
  });

  it('LP40 ends a start that was stopped before its agent appeared', () => {
    const life = new Life().stop();
    life.meet({ kind: 'launch_failed', reason: 'agent_not_started', error: 'stopped' });
    expect(life.said.at(-1)).toBe('ended user_stop');
  });
});

describe('clock', () => {
  const HOUR_MS = 3_600_000;
  it.each([HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS])(
    'LP34 a wall clock that is set by %i ms moves no limit and no step of a stop',
    (byMs) => {
      const life = Life.running({ timeoutMinutes: 1 });
      life.wallOffsetMs = byMs;
      expect(life.tick(59_999).said).toEqual([]);
      expect(life.tick(1).said).toEqual(['stop_requested timeout']);
      life.wallOffsetMs = -byMs;
      life.tick(119_999);
      expect(life.done).toEqual(['write_stop_file']);
      life.tick(1).observe('working', 29_999);
      expect(life.done).toEqual(['write_stop_file', 'interrupt']);
      life.observe('working', 1);
      expect(life.said.at(-1)).toBe('stop_escalated kill');
    },
  );
});

describe('end', () => {
  it.each([
    [{ step: 'report', result: '(generated)', next: '(stop)' }, 'completed'],
    [{ step: 'check', result: 'BLOCKED', next: '(stop)' }, 'blocked'],
    [{ step: 'exec', result: '(blocked)', next: '(stop)' }, 'blocked'],
    [{ step: 'merge', result: 'conflict', next: '(stop)' }, 'conflict'],
  ] as const)('LP8 %o ends as %s once the agent has exited', (signal, reason) => {
    const life = Life.running().signal(signal);
    expect(life.state?.status).toBe('stopping');
    expect(life.observe('gone').said.at(-1)).toBe(`ended ${reason}`);
  });

  it('LP8 requires the agent to stay idle for the confirmation time', () => {
    const life = Life.running().signal({ step: 'report', result: '(generated)', next: '(stop)' });
    life.observe('idle').observe('working', 4_000).observe('idle', 1_000).observe('idle', 4_999);
    expect(life.state).not.toBeNull();
    expect(life.observe('idle', 1).said.at(-1)).toBe('ended completed');
  });

  it('LP8 continues when the agent keeps working after its (stop)', () => {
    const life = Life.running().signal({ step: 'report', result: '(generated)', next: '(stop)' });
    expect(life.signal({}).state?.status).toBe('running');
  });

  it('LP8 does not take an idle agent for the end of a loop', () => {
    expect(Life.running().observe('idle').observe('idle', 60_000).said).toEqual([]);
  });

  it('LP11 ends as user_closed when the terminal is closed', () => {
    const life = Life.running().meet({ kind: 'terminal_gone', how: 'closed' });
    expect(life.said).toEqual(['ended user_closed']);
  });

  it.each(['gone', 'replaced'] as const)('LP13 stops when the directory is %s', (taskDir) => {
    const life = Life.running();
    life.meet({ ...SEEN, taskDir });
    expect(life.said).toEqual(['stop_requested dir_gone']);
    expect(life.done).toEqual([]);
  });
});
