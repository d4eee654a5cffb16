/** How a loop continues after its agent or terminal ended unexpectedly. */
import { describe, expect, it } from 'vitest';
import { AGENT, Life, POLICY, SEEN } from '../../support/auto/loop-life.ts';

describe('crash', () => {
  it('LP9 restarts three times with growing pauses, then fails', () => {
    const life = Life.running();
    for (const pause of POLICY.restartDelaysMs) {
      life.observe('gone').tick(pause - 1);
      expect(life.state?.status).toBe('restart_wait');
      life.tick(1).meet({ kind: 'agent_seen', process: AGENT });
    }
    life.observe('gone');
    expect(life.state?.status).toBe('failed');
    expect(life.said).toEqual([
      'restart_scheduled crashed',
      'restarted',
      'restart_scheduled crashed',
      'restarted',
      'restart_scheduled crashed',
      'restarted',
      'failed restart_limit',
    ]);
    expect(life.done).toEqual(['launch', 'launch', 'launch']);
  });

  it('LP9 says that it restarted, also when the first signal comes before the agent is seen', () => {
    const life = Life.running({ iteration: 3, launchCount: 1 }).observe('gone').tick(5_000);
    life.signal({ iteration: 1 }).meet({ kind: 'agent_seen', process: AGENT });
    expect(life.said).toEqual(['restart_scheduled crashed', 'restarted', 'signal check']);
    expect(life.state).toMatchObject({ status: 'running', agentProcess: AGENT });
  });

  it('LP64 keeps the last rows the agent left on its terminal, and since when it waits', () => {
    const life = Life.running();
    life.meet({ ...SEEN, agent: 'gone', lastRows: ['npm ERR!', 'killed'] }, 7_000);
    const at = '2026-01-01T00:00:07.000Z';
    const screen = { witness: 'screen', at, lines: ['npm ERR!', 'killed'] };
    const state = { status: 'restart_wait', statusSince: at };
    expect(life.state).toMatchObject({ ...state, wait: { evidence: [screen, {}, {}] } });
    expect(life.tick(5_000).state).toMatchObject({
      status: 'starting',
      statusSince: '2026-01-01T00:00:12.000Z',
    });
  });

  it('LP9 counts a restart that does not come up', () => {
    const life = Life.running().observe('gone').tick(5_000);
    life.meet({ kind: 'launch_failed', reason: 'agent_not_started', error: 'nothing came' });
    expect(life.state).toMatchObject({ status: 'restart_wait', restartCount: 2 });
  });

  it.each([
    ['complete', 'completed'],
    ['blocked', 'blocked'],
    ['cancelled', 'cancelled'],
  ])('LP9 accepts a task status of %s as an end', (taskStatus, reason) => {
    expect(Life.running().observe('gone', 0, taskStatus).said).toEqual([`ended ${reason}`]);
  });

  it('LP10 resets the restarts after progress beyond the last one', () => {
    const life = Life.running({ iteration: 3 }).observe('gone').tick(5_000);
    life.meet({ kind: 'agent_seen', process: AGENT }).signal({ iteration: 1 });
    expect(life.state).toMatchObject({ iteration: 4, restartCount: 0 });
  });

  it('SE6 restarts after a lost terminal', () => {
    const life = Life.running().meet({ kind: 'terminal_gone', how: 'lost' });
    expect(life.said).toEqual(['restart_scheduled terminal_lost']);
  });

  it('LP12 keeps a failed loop until it is removed', () => {
    const life = Life.running({ restartCount: 3 }).observe('gone').observe('gone').tick(1e9);
    expect(life.state?.status).toBe('failed');
    expect(life.meet({ kind: 'remove' }).said.at(-1)).toBe('ended restart_limit');
  });
});
