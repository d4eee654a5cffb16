/** The client's own views and notices: no question, and a record about another process. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { asksNothing } from '../../shared/rules/client-view.ts';
import { AgentProbe } from '../../server/supervision/terminal/agent-probe.ts';
import type { TerminalAgent } from '../../server/supervision/terminal/terminal-agent.ts';
import { readStatusRecord } from '../../server/agents/records/status-record.ts';
import { agentState } from '../support/agent-states.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_ROOT } from '../support/test-root.ts';

const AGENT = { pid: 42, startedAt: '7' };

it.each([
  ['client_notice', 'idle'],
  ['agents_view', 'idle'],
  ['permission', 'working'],
  ['question', 'working'],
  ['dialog', 'working'],
] as const)('LP33 while a loop stops, a client that shows %s counts as %s', async (cause, seen) => {
  const known = agentState({ state: 'waiting', cause });
  expect(asksNothing(known)).toBe(seen === 'idle');
  const program = { ...AGENT, name: 'claude', group: 42, foregroundGroup: 42 };
  const probe = new AgentProbe('web', {
    sessions: {
      foreground: () => ({ kind: 'program', program, forked: false }),
      identityOf: () => null,
    },
    monitor: { agent: () => known, probe: async () => Promise.resolve(known) },
    processes: { read: () => program },
    clock: new ManualClock(),
  } as unknown as ConstructorParameters<typeof AgentProbe>[1]);
  const agent: TerminalAgent = {
    sessionName: 'web',
    runId: 'run',
    agent: 'claude',
    launchCount: 1,
    process: AGENT,
    phase: 'ending',
    announced: false,
  };
  expect(await probe.observe(agent, 0)).toMatchObject({ agent: seen });
});

it('AG18 a record whose conversation is parked in another process does not count', () => {
  const root = mkdtempSync(join(TEST_ROOT, 'r'));
  mkdirSync(join(root, 'sessions'));
  const record = { pid: AGENT.pid, procStart: AGENT.startedAt, status: 'idle', sessionId: 'a' };
  const read = (more: object) => {
    const text = JSON.stringify({ ...record, ...more });
    writeFileSync(join(root, 'sessions', `${AGENT.pid}.json`), text);
    return readStatusRecord(AGENT, { CLAUDE_CONFIG_DIR: root });
  };
  expect(read({})).toMatchObject({ status: 'idle' });
  expect(read({ parkedJobId: 'job' })).toBeNull();
  rmSync(root, { recursive: true });
});
