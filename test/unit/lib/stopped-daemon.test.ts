/** A daemon that was suspended for five minutes (SIGSTOP, a debugger, a starved machine) and resumes. */
import { expect, it } from 'vitest';
import {
  awaitAgent,
  type Launch,
  type LaunchOptions,
} from '../../../server/supervision/terminal/agent-launch.ts';
import type { Foreground } from '../../../server/terminals/terminal.ts';
import { Life } from '../../support/auto/loop-life.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const FIVE_MINUTES_MS = 5 * 60_000;
const SHELL = { pid: 41, startedAt: '1' };
const PROGRAM = { pid: 42, startedAt: '1', name: 'claude', group: 42, foregroundGroup: 42 };

it('FA9 an agent that started while the daemon was suspended is seen, however late', async () => {
  const clock = new ManualClock();
  let foreground: Foreground = { kind: 'shell', name: 'bash', process: SHELL };
  const options = {
    sessions: { foreground: () => foreground },
    clock,
    startTimeoutMs: 10_000,
    signal: new AbortController().signal,
  } as unknown as LaunchOptions;
  const launch = { agent: { sessionName: 'web' }, shown: () => false } as unknown as Launch;
  const outcome = awaitAgent(launch, options);
  foreground = { kind: 'program', program: PROGRAM, forked: false };
  clock.advance(FIVE_MINUTES_MS);
  expect(await outcome).toEqual({ ok: true, process: PROGRAM });
});

it('FA9 five minutes without a probe are no stall, no crash and one late check', () => {
  const life = Life.running({ timeoutMinutes: 30 });
  life.tick(FIVE_MINUTES_MS).observe('working');
  expect({ said: life.said, done: life.done, status: life.state?.status }).toEqual({
    said: [],
    done: [],
    status: 'running',
  });
});
