/**
 * Every deadline of a loop with every witness failing or hanging, in every state, on a clock that
 * the test moves: the stop, the time limit and the iteration limit are enforced all the same.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoopState } from '../../../server/auto/machine/loop-state.ts';
import { FaultyLoop } from '../../support/auto/faulty-loop.ts';
import { AGENT } from '../../support/auto/loop-life.ts';

const NONE = async () => new Promise<never>(() => undefined);

/** What is broken, and how. */
const FAULTS: Record<string, (loop: FaultyLoop) => void> = {
  'the screen fails': ({ terminal }) => void (terminal.screen = 'fails'),
  'the screen hangs': ({ terminal }) => void (terminal.screen = 'hangs'),
  'the server fails': ({ terminal }) => {
    terminal.screen = 'fails';
    terminal.server = 'fails';
  },
  'the server hangs': ({ terminal }) => {
    terminal.screen = 'hangs';
    terminal.server = 'hangs';
  },
  'the process table fails': ({ terminal }) => void (terminal.kernel = 'fails'),
  'the process table hangs': ({ terminal }) => void (terminal.kernel = 'hangs'),
  'the record is a directory': ({ clientHome }) =>
    void mkdirSync(join(clientHome, 'sessions', `${AGENT.pid}.json`), { recursive: true }),
  'the transcripts are a file': ({ clientHome }) => {
    mkdirSync(clientHome, { recursive: true });
    writeFileSync(join(clientHome, 'projects'), '');
  },
  'the directory cannot be read': (loop) =>
    void (loop.readDirectory = async () => Promise.reject(new Error('EIO'))),
  'the directory hangs': (loop) => void (loop.readDirectory = NONE),
  'the stop file cannot be written': ({ taskDir }) => {
    rmSync(join(taskDir, '.auto-stop'), { force: true });
    mkdirSync(join(taskDir, '.auto-stop', 'taken'), { recursive: true });
  },
};
/** A pid alone is never signalled: where processes cannot be identified, a person is asked. */
const BLIND = ['the process table fails', 'the process table hangs'];

const QUOTA = { sinceMs: 0, untilMs: null, nudges: 0, nudgedAtMs: null, workingSinceMs: null };
const WAIT = { since: '2026-01-01T00:00:00.000Z', until: null, evidence: [] };
const STOP = { by: 'daemon', author: '', requestedAt: WAIT.since, step: 'asked' } as const;

const STATES: Record<string, Partial<LoopState>> = {
  starting: { status: 'starting' },
  running: { status: 'running', agentProcess: AGENT },
  stopping: {
    status: 'stopping',
    agentProcess: AGENT,
    dueMs: 2_000,
    stop: { ...STOP, reason: 'stall_limit', evidence: [] },
    wait: { ...WAIT, reason: 'stall_limit' },
  },
  quota_wait: {
    status: 'quota_wait',
    agentProcess: AGENT,
    quota: QUOTA,
    dueMs: 900_000,
    wait: { ...WAIT, reason: 'quota' },
  },
  restart_wait: {
    status: 'restart_wait',
    restartCount: 1,
    dueMs: 1_000,
    wait: { ...WAIT, reason: 'crashed' },
  },
};

/** What is due: how to cause it, and in which states. */
const DEADLINES: Record<string, (loop: FaultyLoop) => void> = {
  'a stop': ({ loops }) => void loops.stop('web'),
  'the time limit': ({ clock }) => clock.advance(60_000),
  'the iteration limit': ({ loops }) => void loops.changeLimits('web', { maxIterations: 1 }),
};

const CASES = Object.keys(FAULTS).flatMap((fault) =>
  Object.keys(STATES).flatMap((state) =>
    Object.keys(DEADLINES)
      // The clock of the time limit is paused for as long as a quota lasts (LP21).
      .filter((deadline) => state !== 'quota_wait' || deadline !== 'the time limit')
      .map((deadline) => [fault, state, deadline] as const),
  ),
);

describe('LP30 no witness is needed to enforce', () => {
  it.each(CASES)('%s, %s, %s', async (fault, state, deadline) => {
    using loop = new FaultyLoop();
    if (STATES[state]?.agentProcess !== undefined) loop.terminal.startAgent();
    await loop.begin({ timeoutMinutes: 1, iteration: 1, maxIterations: 20, ...STATES[state] });
    FAULTS[fault]?.(loop);
    DEADLINES[deadline]?.(loop);
    await loop.runOut();
    expect({ over: loop.isOver, events: loop.events() }).toMatchObject({ over: true });
    if (BLIND.includes(fault) && loop.status === 'failed') {
      expect(loop.asked().join('\n')).toMatch(/ps -e?fp? ?\d*/);
    } else {
      expect(loop.agentIsGone).toBe(true);
      expect(loop.events().at(-1)).toMatch(/^ended /);
    }
  });

  it('LP31 names the process that may not be ended, and how a person ends it', async () => {
    using loop = new FaultyLoop();
    loop.terminal.startAgent();
    loop.terminal.mayEndAgent = false;
    await loop.begin({ status: 'running', agentProcess: AGENT });
    loop.loops.stop('web');
    await loop.runOut();
    expect(loop.events().slice(-2)).toEqual(['stop_escalated kill', 'failed kill_failed']);
    expect(loop.asked()).toEqual([expect.stringContaining(`sudo kill -9 ${AGENT.pid}`)]);
    expect(loop.loops.get('web').error).toContain('belongs to another user');
  });
});
