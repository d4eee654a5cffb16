/** Status line, transcript and status record of a client, on recorded and on hostile data. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseStatusLine } from '../../../server/agents/records/status-line.ts';
import { readStatusRecord } from '../../../server/agents/records/status-record.ts';
import {
  foldTranscriptFact,
  NO_TRANSCRIPT_FACTS,
} from '../../../server/agents/records/transcript-facts.ts';
import { parseTranscriptLine } from '../../../server/agents/records/transcript-line.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';

const FIXTURES = join(packageRoot(), 'test/fixtures');

describe('the status line', () => {
  const recorded = (name: string) =>
    parseStatusLine(JSON.parse(readFileSync(join(FIXTURES, 'status-line', name), 'utf8')));

  it('AG12 gives the rate limits of a subscription with their resets', () => {
    expect(recorded('subscription-with-rate-limits.json')).toEqual({
      writtenAtMs: null,
      sessionId: '279c0952-649c-4d60-ab5d-5bb8ffe1b522',
      model: 'Sonnet 5.5',
      modelId: 'claude-sonnet-5-5',
      costUsd: 0,
      contextUsedPercent: null,
      fiveHour: { usedPercent: 100, resetsAtMs: 1_795_180_453_000 },
      weekly: { usedPercent: 40, resetsAtMs: 1_795_266_853_000 },
    });
  });

  it('AG12 gives cost and context of an API key, which has no limits', () => {
    const line = recorded('api-key-context-96-percent.json');
    expect(line).toMatchObject({ model: 'Opus 5.5', contextUsedPercent: 0, fiveHour: null });
    expect(line?.costUsd).toBeCloseTo(0.0896);
  });

  it('AG8 a wrong field is null and affects no other; a value that is not an object is ignored', () => {
    const wrong = parseStatusLine({ model: 7, cost: { total_cost_usd: -1 }, session_id: 'x' });
    expect(wrong).toMatchObject({ model: null, costUsd: null, sessionId: 'x' });
    expect(parseStatusLine('text')).toBeNull();
    fc.assert(
      fc.property(fc.anything(), (any) => void parseStatusLine(any)),
      { seed: 7 },
    );
  });
});

describe('the transcript', () => {
  const lines = readFileSync(join(FIXTURES, 'transcript/lines.jsonl'), 'utf8').trim().split('\n');
  const facts = lines.map((line) => parseTranscriptLine(line));

  it('AG12 reports turn ends, interruptions, errors and compactions, and nothing else', () => {
    const count = (kind: string) => facts.filter((fact) => fact?.kind === kind).length;
    expect(count('api_error')).toBe(4);
    expect(count('interrupted')).toBe(4);
    expect(count('turn_end')).toBe(4);
    expect(count('compact_boundary')).toBe(4);
    const others = facts.filter(
      (fact) => !['prompt', 'said', 'called', undefined].includes(fact?.kind),
    );
    expect(others).toHaveLength(16);
  });

  it('IN10 names a prompt once: as it is sent or queued, not as it leaves the queue', () => {
    const at = { timestamp: '2026-11-22T08:37:49.449Z' };
    const read = (line: object) => parseTranscriptLine(JSON.stringify({ ...at, ...line }));
    const user = (promptSource?: string) =>
      read({ type: 'user', promptSource, message: { content: 'do it' } });
    const prompt = { kind: 'prompt', text: 'do it', atMs: Date.parse(at.timestamp) };
    expect(user('typed')).toEqual(prompt);
    const queued = { type: 'queue-operation', content: 'do it' };
    expect(read({ ...queued, operation: 'enqueue' })).toEqual(prompt);
    expect(read({ ...queued, operation: 'dequeue' })).toBeNull();
    expect(user('queued')).toBeNull();
    expect(user()).toBeNull();
    expect(read({ ...queued, operation: 'enqueue', timestamp: 'soon' })).toBeNull();
  });

  it('AG9 a usage limit carries the exact time of its reset', () => {
    const limits = facts.flatMap((fact) => (fact?.kind === 'api_error' ? [fact.limit] : []));
    expect(limits).toEqual([
      null,
      null,
      { cause: 'five_hour', resetsAtMs: 1_795_180_769_000 },
      { cause: 'weekly', resetsAtMs: 1_795_213_173_000 },
    ]);
    const causes = facts.flatMap((fact) => (fact?.kind === 'api_error' ? [fact.cause] : []));
    expect(causes.slice(0, 2)).toEqual(['authentication', 'overloaded']);
  });

  it('AG12 lines of a subagent, quoted text and broken lines report nothing', () => {
    const said = (text: string, more: object = {}) =>
      parseTranscriptLine(
        JSON.stringify({ type: 'user', message: { content: [{ type: 'text', text }] }, ...more }),
      );
    expect(said('[Request interrupted by user]')).toMatchObject({ kind: 'interrupted' });
    expect(said('[Request interrupted by user]', { isSidechain: true })).toBeNull();
    expect(said('why [Request interrupted by user]?')).toBeNull();
    expect(parseTranscriptLine('{"type":"user","mess')).toBeNull();
    expect(parseTranscriptLine('x'.repeat(1_000_000))).toBeNull();
  });

  it('AG8 any JSON is parsed without throwing', () => {
    fc.assert(
      fc.property(fc.json(), (line) => void parseTranscriptLine(line)),
      { seed: 7 },
    );
  });

  it('AG12 a line without a time counts from when it was read', () => {
    const facts = foldTranscriptFact(NO_TRANSCRIPT_FACTS, { kind: 'interrupted', atMs: null }, 9);
    expect(facts.interruptedAtMs).toBe(9);
  });
});

describe('the status record', () => {
  const identity = { pid: 4321, startedAt: '777' };
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'record-'));
    mkdirSync(join(home, 'sessions'));
  });
  afterEach(() => rmSync(home, { recursive: true }));
  const read = (record: object) => {
    writeFileSync(join(home, 'sessions/4321.json'), JSON.stringify(record));
    return readStatusRecord(identity, { CLAUDE_CONFIG_DIR: home });
  };
  const record = {
    pid: 4321,
    procStart: '777',
    status: 'waiting',
    waitingFor: 'dialog open',
    sessionId: 's',
    version: '2.1.329',
    statusUpdatedAt: 1_795_000_000_000,
  };

  it('AG2 says what the client does, what it waits for and since when', () => {
    expect(read(record)).toEqual({
      status: 'waiting',
      waitingFor: 'dialog open',
      sessionId: 's',
      version: '2.1.329',
      changedAtMs: 1_795_000_000_000,
    });
    const iso = { ...record, statusUpdatedAt: '2026-11-18T11:06:40.000Z', waitingFor: 7 };
    expect(read(iso)).toMatchObject({ changedAtMs: 1_795_000_000_000, waitingFor: null });
  });

  it('AG2 a record with another pid, another start or an unknown status does not count', () => {
    expect(read({ ...record, procStart: '778' })).toBeNull();
    expect(read({ ...record, pid: 4322 })).toBeNull();
    expect(read({ ...record, status: 'dreaming' })).toBeNull();
    expect(readStatusRecord({ ...identity, pid: 1 }, { CLAUDE_CONFIG_DIR: home })).toBeNull();
  });
});
