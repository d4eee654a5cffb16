/** What a stopping agent does, by witnesses that may fail. */
import { expect, it } from 'vitest';
import { asksNothing } from '../../../shared/rules/events/client-view.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { AgentProbe } from '../../../server/supervision/terminal/agent-probe.ts';
import type { TerminalAgent } from '../../../server/supervision/terminal/terminal-agent.ts';
import type { Foreground } from '../../../server/terminals/terminal.ts';
import { agentState } from '../../support/agents/agent-states.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';

const AGENT = { pid: 42, startedAt: '7' };
const PROGRAM = { ...AGENT, name: 'claude', group: 42, foregroundGroup: 42 };
const STOPPING: TerminalAgent = {
  sessionName: 'web',
  runId: 'run',
  agent: 'claude',
  launchCount: 1,
  process: AGENT,
  phase: 'ending',
  announced: false,
};

it.each([
  ['client_notice', 'idle'],
  ['agents_view', 'idle'],
  ['permission', 'working'],
  ['question', 'working'],
  ['dialog', 'working'],
] as const)('LP33 while a loop stops, a client that shows %s counts as %s', async (cause, seen) => {
  const known = agentState({ state: 'waiting', cause });
  expect(asksNothing(known)).toBe(seen === 'idle');
  const probe = probeOf({ lives: true, known });
  expect(await probe.observe(STOPPING, 0)).toMatchObject({ agent: seen });
});

it.each<[string, () => Foreground]>([
  [
    'cannot be asked',
    () => {
      throw new Error('no server');
    },
  ],
  ['has closed', () => ({ kind: 'closed' })],
  ['starts another program', () => ({ kind: 'program', program: PROGRAM, forked: true })],
  ['shows another program', () => ({ kind: 'program', program: PROGRAM, forked: false })],
])('LP30 a stopping agent that has exited is gone when its terminal %s', async (_, foreground) => {
  const probe = probeOf({ lives: false, foreground });
  expect(await probe.observe(STOPPING, 0)).toMatchObject({ agent: 'gone', witnesses: [] });
  const working = await probe.observe({ ...STOPPING, phase: 'working' }, 0);
  expect(working).not.toMatchObject({ agent: 'gone' });
});

interface Scene {
  lives: boolean;
  known?: AgentState;
  foreground?: () => Foreground;
}

/** No tag can be read. */
function probeOf({ lives, known, foreground }: Scene): AgentProbe {
  return new AgentProbe('web', {
    sessions: {
      foreground: foreground ?? (() => ({ kind: 'program', program: PROGRAM, forked: false })),
      identityOf: () => null,
      tagOf: async () => Promise.reject(new Error('no server')),
    },
    monitor: { agent: () => known ?? null, probe: async () => Promise.resolve(known ?? null) },
    processes: { read: () => (lives ? PROGRAM : null) },
    clock: new ManualClock(),
  } as unknown as ConstructorParameters<typeof AgentProbe>[1]);
}
