/**
 * Every deadline of a loop with every witness failing or hanging, in every state, on a clock that
 * the test moves: the stop, the time limit and the iteration limit are enforced all the same.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Now } from '../../../server/auto/machine/loop-state.ts';
import { FaultyLoop } from '../../support/auto/faulty-loop.ts';
import { AGENT, RUNNING, STATES } from '../../support/auto/loop-life.ts';

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

/** What is due: how to cause it, and in which states. */
const DEADLINES: Record<string, (loop: FaultyLoop) => void> = {
  'a stop': ({ loops }) => void loops.stop('web'),
  'the time limit': ({ clock }) => clock.advance(60_000),
  'the iteration limit': ({ loops }) => void loops.changeLimits('web', { maxIterations: 1 }),
};

const CASES = Object.keys(FAULTS).flatMap((fault) =>
  Object.values<Now>(STATES).flatMap((now) =>
    Object.keys(DEADLINES)
      // The clock of the time limit is paused for as long as a quota lasts (LP21).
      .filter((deadline) => now.status !== 'quota_wait' || deadline !== 'the time limit')
      .map((deadline) => [fault, now.status, deadline, now] as const),
  ),
);

describe('LP30 no witness is needed to enforce', () => {
  it.each(CASES)('%s, %s, %s', async (fault, status, deadline, now) => {
    using loop = new FaultyLoop();
    const hasAgent = status !== 'starting' && status !== 'restart_wait';
    if (hasAgent) loop.terminal.startAgent();
    const known = {
      agentProcess: hasAgent ? AGENT : null,
      restartCount: status === 'restart_wait' ? 1 : 0,
    };
    await loop.begin({ timeoutMinutes: 1, iteration: 1, maxIterations: 20, ...known }, now);
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
    await loop.begin({ agentProcess: AGENT }, RUNNING);
    loop.loops.stop('web');
    await loop.runOut();
    expect(loop.events().slice(-2)).toEqual(['stop_escalated kill', 'failed kill_failed']);
    expect(loop.asked()).toEqual([expect.stringContaining(`sudo kill -9 ${AGENT.pid}`)]);
    expect(loop.loops.get('web').error).toContain('belongs to another user');
  });
});
