/** Loops without progress: when that is a stall, what is typed, and what ends it. */
import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { SnapshotInput } from '../../../server/auto/machine/loop-input.ts';
import type { AgentWait } from '../../../server/supervision/terminal/terminal-agent.ts';
import { Life, SEEN, START_WALL, STATES } from '../../support/auto/loop-life.ts';

const BEAT = 60_000;

/** What the heartbeat sees: an unchanging snapshot in which the agent asks whether it may continue. */
const SNAPSHOT: SnapshotInput = {
  kind: 'snapshot',
  mark: 'same',
  foreign: false,
  busy: false,
  asking: { lines: ['Shall I continue?'], answer: 'continue' },
};

function still(life: Life, beats: number, change: Partial<SnapshotInput> = {}): Life {
  for (let beat = 0; beat < beats; beat += 1) life.meet({ ...SNAPSHOT, ...change }, BEAT);
  return life;
}

function loop(change: Parameters<typeof Life.running>[0] = {}): Life {
  return Life.running({ timeoutMinutes: 10_000, ...change });
}

function knows(life: Life, change: Partial<AgentState>, wait: AgentWait | null = null): Life {
  const known: AgentState = {
    state: 'ready',
    cause: 'none',
    detail: null,
    witness: 'record',
    until: null,
    since: new Date(START_WALL + life.ageMs).toISOString(),
    ...change,
  };
  return life.meet({ ...SEEN, known, wait });
}

describe('suspicion', () => {
  it('LP16 counts four identical snapshots as a stall, and not three', () => {
    const life = still(loop(), 3);
    expect(life.said).toEqual([]);
    expect(still(life, 1).said).toEqual(['stall_suspected', 'recovery_tried stall']);
  });

  it.each<[string, Partial<SnapshotInput>]>([
    ['another picture', { mark: 'other' }],
    ['a program of a person in front', { foreign: true }],
    ['computing of what the agent started', { busy: true }],
  ])('LP41 restarts the count after %s', (_, change) => {
    const life = still(still(loop(), 3), 1, change);
    expect(still(life, 2).said).toEqual([]);
    expect(still(life, 2).said).toHaveLength(2);
  });

  it('LP42 never touches a foreign program, while the time limit continues', () => {
    const life = still(loop({ timeoutMinutes: 30 }), 29, { foreign: true });
    expect(life.said).toEqual([]);
    expect(still(life, 1, { foreign: true }).said).toEqual(['stop_requested timeout']);
  });

  it('LP41 restarts the count after a signal', () => {
    const life = still(still(loop(), 3).signal({ iteration: 1 }), 3);
    expect(life.said).toEqual(['signal check']);
  });

  it('LP41 does not take a suspended machine for a stall', () => {
    const life = still(loop(), 3).meet(SNAPSHOT, 8 * 3_600_000);
    expect(still(life, 2).said).toEqual([]);
  });

  it.each(['permission', 'question', 'login_needed', 'retrying', 'api_error'] as const)(
    'LP16 names the wait of an agent that is not stalled: %s',
    (reason) => {
      const wait = { reason, since: '2026-01-01T00:00:00.000Z', until: null, evidence: [] };
      const life = loop().meet({ ...SEEN, wait });
      expect(still(life, 30).said).toEqual([]);
      expect(life.state?.wait?.reason).toBe(reason);
    },
  );

  it.each(['starting', 'stopping', 'quota_wait', 'restart_wait'] as const)(
    'LP16 suspects nothing while a loop is %s',
    (status) =>
      expect(still(new Life({}, STATES[status]), 10).said.join()).not.toMatch(/stall|recovery/),
  );
});

describe('recovery', () => {
  it('LP17 types the answer with the lines it answers', () => {
    const life = still(loop(), 4);
    expect(life.lastEffects).toEqual([
      { kind: 'type', cause: 'stall', answer: 'continue', asking: ['Shall I continue?'] },
    ]);
    expect(life.state).toMatchObject({ recoveryCountStep: 1, recoveryCountTotal: 1 });
  });

  it('LP44 is recovered when the agent works again', () => {
    const life = still(loop(), 4).tick(10_000);
    expect(knows(life, { state: 'working' }).said.at(-1)).toBe('recovered');
  });

  it('LP44 is recovered by a signal', () => {
    expect(still(loop(), 4).signal({}).said.slice(-2)).toEqual(['signal check', 'recovered']);
  });

  it('LP44 is not recovered by what was known before', () => {
    const life = still(loop(), 4);
    const before = new Date(START_WALL).toISOString();
    expect(knows(life, { state: 'working', since: before }).said.at(-1)).toBe(
      'recovery_tried stall',
    );
  });

  it('LP43 says when the answer had no effect, and tries again after as many snapshots', () => {
    const life = still(still(loop(), 4), 3);
    expect(life.said.slice(2)).toEqual([
      'stall_suspected',
      'recovery_failed no_progress',
      'recovery_tried stall',
    ]);
  });

  it.each(['no_prompt', 'off', 'destructive', 'not_safe', 'not_understood'] as const)(
    'LP17 LP43 counts what may not be answered (%s), and asks a person',
    (failure) => {
      const life = still(loop(), 4, { asking: { lines: ['Delete all?'], failure } });
      expect(life.said).toEqual(['stall_suspected', `recovery_failed ${failure}`]);
      expect(life.done).toEqual([]);
      expect(life.state).toMatchObject({ recoveryCountStep: 1, wait: { reason: 'stalled' } });
      expect(life.state?.wait?.evidence[0]?.lines).toEqual(['Delete all?']);
      // An observation without other evidence does not cancel it; another snapshot does.
      expect(life.meet(SEEN).state?.wait?.reason).toBe('stalled');
      expect(life.meet({ ...SNAPSHOT, mark: 'moved' }).state?.wait).toBeNull();
      expect(life.said.at(-1)).toBe('recovered');
    },
  );

  it('LP43 names a stream that hangs', () => {
    const wait = { reason: 'hung_stream' as const, since: '', until: null, evidence: [] };
    const life = knows(loop(), { state: 'working', cause: 'hung_stream' }, wait);
    const asking = { lines: ['…'], failure: 'no_prompt' as const };
    expect(still(life, 4, { asking }).said.at(-1)).toBe('recovery_failed hung_stream');
  });

  it.each(['unknown_screen', 'hung_stream'] as const)(
    'LP44 stays stalled while the only news is: %s',
    (reason) => {
      const wait = { reason, since: '2026-01-01T00:00:00.000Z', until: null, evidence: [] };
      const asking = { lines: ['…'], failure: 'no_prompt' as const };
      const life = still(loop().meet({ ...SEEN, wait }), 4, { asking }).meet({ ...SEEN, wait });
      expect(life.state?.wait?.reason).toBe('stalled');
      expect(life.said.at(-1)).toMatch(/^recovery_failed/);
      const asked = { ...wait, reason: 'permission' as const };
      expect(life.meet({ ...SEEN, wait: asked }).said.at(-1)).toBe('recovered');
    },
  );

  it('LP43 says when the answer could not be typed', () => {
    const life = still(loop(), 4);
    life.meet({ kind: 'typed', cause: 'stall', delivery: 'failed', detail: 'draft_in_box' });
    expect(life.said.at(-1)).toBe('recovery_failed not_delivered');
    expect(life.state?.wait?.reason).toBe('stalled');
  });
});

describe('caps', () => {
  it('LP18 allows three in one iteration; the fourth ends the loop', () => {
    const life = still(loop(), 1 + 3 * 3);
    expect(life.said.filter((word) => word === 'recovery_tried stall')).toHaveLength(3);
    still(life, 3);
    expect(life.said.at(-1)).toBe('stop_requested stall_limit');
    expect(life.done.at(-1)).toBe('write_stop_file');
    expect(life.state?.stop?.evidence.at(-1)?.lines[0]).toContain('3 recoveries');
  });

  it('LP18 allows ten in total; the eleventh ends the loop in any iteration', () => {
    const life = loop({ maxIterations: 100 });
    for (let iteration = 1; iteration <= 10; iteration += 1) {
      still(life, 4).signal({ iteration });
    }
    expect(life.state).toMatchObject({ recoveryCountStep: 0, recoveryCountTotal: 10 });
    expect(still(life, 4).said.at(-1)).toBe('stop_requested stall_limit');
  });

  it('LP18 restarts the count for a higher iteration, and for no other signal', () => {
    const life = still(loop(), 4).signal({ iteration: 0 });
    expect(life.state?.recoveryCountStep).toBe(1);
    expect(life.signal({ iteration: undefined }).state?.recoveryCountStep).toBe(1);
    expect(life.signal({ iteration: 1 }).state?.recoveryCountStep).toBe(0);
  });

  it('LP18 ends a loop in which nothing can be answered', () => {
    const asking = { lines: [], failure: 'no_prompt' as const };
    const life = still(loop(), 1 + 4 * 3, { asking });
    expect(life.said.at(-1)).toBe('stop_requested stall_limit');
    expect(life.done).toEqual(['write_stop_file']);
  });

  it('LP18 keeps the counts over a restart of the agent', () => {
    const life = still(loop(), 4).observe('gone').tick(5_000);
    expect(life.state).toMatchObject({ recoveryCountStep: 1, recoveryCountTotal: 1 });
  });
});

describe('a request that failed', () => {
  const errored = { state: 'errored', cause: 'overloaded', detail: 'API Error: 529' } as const;

  it('LP20 is not a wait for quota: the agent is prompted to continue after a short pause', () => {
    const life = knows(loop(), errored);
    expect(life.state).toMatchObject({ status: 'running', wait: { reason: 'api_error' } });
    life.tick(29_999);
    expect(life.said).toEqual([]);
    life.tick(1);
    expect(life.said).toEqual(['recovery_tried api_error']);
    expect(life.lastEffects).toEqual([
      { kind: 'type', cause: 'api_error', answer: 'continue', asking: [] },
    ]);
  });

  it('LP20 waits longer each time, and the caps end it', () => {
    const life = loop();
    for (const pause of [30_000, 60_000, 120_000, 120_000]) {
      // A different failure from the one before.
      life.tick(1);
      knows(life, errored).tick(pause - 1);
      const before = life.said.length;
      life.tick(1);
      expect(life.said.length).toBeGreaterThan(before);
    }
    expect(life.said.at(-1)).toBe('stop_requested stall_limit');
  });

  it('LP45 nothing more is typed while the last retry is in progress, and again when it was lost', () => {
    const same = { ...errored, since: new Date(START_WALL).toISOString() };
    const life = knows(loop(), same).tick(30_000);
    knows(knows(life, same).tick(59_999), same);
    expect(life.said).toEqual(['recovery_tried api_error']);
    knows(life.tick(1), same).tick(60_000);
    expect(life.said).toEqual(['recovery_tried api_error', 'recovery_tried api_error']);
  });

  it('LP45 FA14 a lost retry is noticed as soon when the clock is set back', () => {
    const same = { ...errored, since: new Date(START_WALL).toISOString() };
    const life = knows(loop(), same).tick(30_000);
    life.wallOffsetMs = -3 * 3_600_000;
    const moved = { ...same, since: new Date(START_WALL + life.wallOffsetMs).toISOString() };
    knows(knows(life, moved).tick(59_999), moved);
    expect(life.said).toEqual(['recovery_tried api_error']);
    knows(life.tick(1), moved).tick(60_000);
    expect(life.said).toEqual(['recovery_tried api_error', 'recovery_tried api_error']);
  });

  it('LP20 is over when the agent works', () => {
    const life = knows(knows(loop(), errored), { state: 'working' });
    expect(life.state).toMatchObject({ wait: null, dueMs: null });
  });

  it.each(['billing', 'authentication', 'invalid_request', 'prompt_too_long'] as const)(
    'LP46 leaves a lasting error to a person: %s',
    (cause) => {
      const life = knows(loop(), { ...errored, cause });
      expect(life.tick(3_600_000).said).toEqual([]);
    },
  );

  it('LP20 lets a client retry on its own', () => {
    const life = knows(loop(), { state: 'retrying', cause: 'overloaded' });
    expect(life.tick(3_600_000).done).toEqual([]);
  });
});
