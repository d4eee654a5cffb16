/** The record of a client whose conversation another process shows. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStatusRecord } from '../../../server/agents/records/status-record.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const AGENT = { pid: 42, startedAt: '7' };

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
