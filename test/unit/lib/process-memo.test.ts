/** What is remembered about processes is dropped with them, on real processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AgentRecords } from '../../../server/agents/records/agent-records.ts';
import { type ProcessState, readProcess } from '../../../server/lib/processes/process-identity.ts';
import { ProcessMemo } from '../../../server/lib/processes/process-memo.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';

const COUNT = 20;

it('UL6 ended processes are dropped once another is known', async () => {
  const memo = new ProcessMemo<number>();
  await using all = await startAll();
  for (const [n, each] of all.processes.entries()) memo.set(each, n);
  expect(memo.size).toBe(COUNT);
  expect(all.processes.map((each) => memo.get(each))).toEqual([...all.processes.keys()]);
  const [first] = all.processes;
  expect(memo.get({ pid: first?.pid ?? 0, startedAt: 'another' })).toBeUndefined();
  await all.kill();
  memo.set(self(), 1);
  expect(memo.size).toBe(1);
});

it('UL6 records of agents that were killed are not held, though their files stay', async () => {
  const root = mkdtempSync(join(TEST_ROOT, 'm'));
  const sessions = join(root, 'sessions');
  mkdirSync(sessions);
  const environment = { CLAUDE_CONFIG_DIR: root };
  const records = new AgentRecords({ program: 'claude', environment });
  await using all = await startAll();
  for (const { pid } of [...all.processes, self()])
    writeFileSync(join(sessions, `${pid}.json`), '{}');
  for (const each of all.processes) records.read(each);
  expect(records.held).toBe(COUNT);
  await all.kill();
  records.read(self());
  expect(records.held).toBe(1);
  rmSync(root, { recursive: true });
});

function self(): ProcessState {
  const found = readProcess(process.pid);
  if (found === null) throw new Error('this process is not found');
  return found;
}

async function startAll() {
  const children = Array.from({ length: COUNT }, () => spawn('sleep', ['1000']));
  await Promise.all(children.map(async (child) => once(child, 'spawn')));
  const kill = async () => {
    for (const child of children) child.kill('SIGKILL');
    await until('all have ended', () => children.every((child) => child.signalCode !== null));
  };
  const processes = children.map(({ pid = 0 }) => readProcess(pid)).filter((one) => one !== null);
  return { processes, kill, [Symbol.asyncDispose]: kill };
}
