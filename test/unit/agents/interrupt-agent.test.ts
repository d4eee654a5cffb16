/** Who gets the interruption of an agent, by what is in front of its terminal. */
import { expect, it } from 'vitest';
import {
  type EndAgentOptions,
  interruptAgent,
} from '../../../server/supervision/terminal/end-agent.ts';
import type { TerminalAgent } from '../../../server/supervision/terminal/terminal-agent.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const AGENT = { pid: 7, startedAt: '1' };
const LOOP: TerminalAgent = {
  sessionName: 'web',
  runId: 'r',
  agent: 'claude',
  launchCount: 1,
  process: AGENT,
  phase: 'ending',
  announced: false,
};

async function interrupted(front: object): Promise<string[]> {
  const done: string[] = [];
  const options = {
    clock: new ManualClock(),
    sessions: {
      foreground: () => front,
      interrupt: () => Promise.resolve(done.push('Ctrl-C') && 'typed'),
    },
    processes: {
      signal: ({ pid }: { pid: number }, signal: string) => done.push(`${signal} ${pid}`),
    },
  } as unknown as EndAgentOptions;
  await interruptAgent(LOOP, options);
  return done;
}

it('LP40 the agent in front gets Ctrl-C, and its shell nothing', async () => {
  expect(await interrupted({ kind: 'program', program: AGENT })).toEqual(['Ctrl-C']);
  expect(await interrupted({ kind: 'shell' })).toEqual([]);
});

it('LP40 a program of a person in front of it gets no key', async () => {
  const program = { pid: 8, startedAt: '2' };
  expect(await interrupted({ kind: 'program', program })).toEqual(['SIGINT 7']);
});
