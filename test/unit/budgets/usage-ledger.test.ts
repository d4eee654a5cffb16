/** The ledger on a real database and real files, without a daemon. */
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { parseUsageLine } from '../../../server/agents/records/usage-line.ts';
import { readAppendedLines } from '../../../server/lib/files/appended-lines.ts';
import { costGrowth, growthOf } from '../../../server/usage/count-once.ts';
import { UsageWatch } from '../../../server/usage/usage-watch.ts';
import { usageTable } from '../../../server/cli/print/print-usage.ts';
import { seeded } from '../../support/house/random.ts';
import { CHUNK_BYTES, spent, UsageHome, workOf } from '../../support/runs/usage-home.ts';

const DAY_MS = 86_400_000;
const PROCESS = { pid: 7, startedAt: '1' };

function costOf(home: UsageHome): number | null {
  return home.reports.report({ by: 'day' }, home.clock.now()).totals.cost?.micro_usd ?? null;
}

function showTotal(home: UsageHome, totalUsd: number, conversation = 'c', process = PROCESS): void {
  const reading = { conversation, process, model: 'm', totalUsd };
  home.ledger.addCost(reading, workOf('web', 'loop'));
}

it('US1 a message counts with the greatest of its figures', () => {
  const counts = (outputTokens: number, costMicros: number | null = null) => {
    const rest = { inputTokens: 5, cacheCreationTokens: 0, cacheReadTokens: 0 };
    return { ...rest, outputTokens, costMicros };
  };
  expect(growthOf(null, counts(1))).toEqual(counts(1));
  expect(growthOf(counts(1), counts(20))).toMatchObject({ outputTokens: 19, inputTokens: 0 });
  expect(growthOf(counts(20), counts(1))).toBeNull();
  expect(growthOf(counts(20), counts(20, 0))).toMatchObject({ costMicros: 0 });
  expect(growthOf(counts(20, 7), counts(20, 7))).toBeNull();
});

it('US7 the total of a status line counts by its growth, over restarts, /clear and daemons', async () => {
  await using home = new UsageHome();
  showTotal(home, 0);
  expect(costOf(home)).toBeNull();
  showTotal(home, 0.5);
  showTotal(home, 0.5);
  await home.restart();
  showTotal(home, 0.75);
  expect(costOf(home)).toBe(750_000);
  // After /clear the total of the process continues; with other versions it begins at 0.
  showTotal(home, 0.8, 'd');
  expect(costOf(home)).toBe(800_000);
  const next = { pid: 8, startedAt: '2' };
  showTotal(home, 0, 'd', next);
  showTotal(home, 0.1, 'd', next);
  expect(costOf(home)).toBe(900_000);
  const cost = home.reports.report({ by: 'day' }, home.clock.now()).totals;
  expect(cost).toMatchObject({ tokens: null, cost: { sources: ['status_line'] } });
});

it('US7 with any totals in the status line, no more is counted than was spent', async () => {
  await seeded((random) => {
    for (let life = 0; life < 200; life += 1) {
      const isOfProcess = random.chance(0.5);
      const totals = new Map<string, number>();
      const meters = new Map<string, number>();
      let [conversation, process, truth, counted] = [1, 1, 0, 0];
      for (let step = 0; step < 50; step += 1) {
        if (random.chance(0.1)) process = random.int(1, 5);
        if (random.chance(0.1)) conversation = random.int(1, 5);
        const added = random.int(0, 1_000);
        truth += added;
        const shown = isOfProcess ? `p${process}` : `c${conversation}`;
        const total = (totals.get(shown) ?? 0) + added;
        totals.set(shown, total);
        if (random.chance(0.3)) continue;
        const keys = [`p${process}`, `c${conversation}`];
        counted += costGrowth(
          keys.flatMap((key) => meters.get(key) ?? []),
          total,
        );
        for (const key of keys) meters.set(key, total);
      }
      expect(counted).toBeLessThanOrEqual(truth);
    }
  });
});

it('US4 US6 a result counts once, by model; a turn without one counts by its transcript', async () => {
  await using home = new UsageHome();
  const work = workOf('fix', 'task');
  home.ledger.turnHeard('h', work);
  home.say(home.path('h'), { id: '1', output: 30, entrypoint: 'sdk-cli' });
  const turn = { id: 't1', conversation: 'h', spent: [spent(40, 0.0064)], work };
  home.ledger.turnEnded(turn);
  home.ledger.turnEnded(turn);
  await home.settle();
  home.ledger.turnHeard('h', work);
  home.say(home.path('h'), { id: '2', output: 5, entrypoint: 'sdk-cli' });
  home.ledger.turnEnded({ ...turn, id: 't2', spent: [] });
  await home.settle();
  expect(home.rows('subject')).toMatchObject([
    {
      key: 'task:fix',
      tokens: { output: 45, sources: ['transcript', 'result'] },
      cost: { micro_usd: 6400, sources: ['result'] },
    },
  ]);
  expect(home.rows('person')).toMatchObject([{ key: 'Ada' }]);
  // A fork in a terminal repeats what the result includes.
  home.append(home.path('fork'), home.linesOf(home.path('h')));
  await home.ledger.follow('fork', workOf('web'), 0);
  await home.ledger.read('fork');
  expect(home.tokens()).toMatchObject({ output: 45 });
});

it('US8 messages from before the session existed do not count for it', async () => {
  await using home = new UsageHome();
  const nowMs = home.clock.now();
  home.say(home.path('c'), { id: '1', output: 1, atMs: nowMs - 1 });
  home.say(home.path('c'), { id: '2', output: 2, atMs: nowMs });
  await home.ledger.follow('c', workOf('web'), nowMs);
  await home.ledger.read('c');
  expect(home.tokens()).toMatchObject({ output: 2 });
});

it('US9 hostile files and lines count nothing and stop nothing', async () => {
  await using home = new UsageHome();
  const path = home.path('c');
  const message = home.line({ id: '1', output: 7, model: 'no model\u001b[31m' });
  const broken = message.replace('"output_tokens":7', '"output_tokens":-7');
  const huge = `${message.slice(0, -1)},"x":"${'x'.repeat(3 * CHUNK_BYTES)}"}`;
  for (const line of ['', '{', 'null', '"usage"', huge, broken]) home.append(path, `${line}\n`);
  home.append(path, `${message}\n`);
  await home.ledger.follow('c', workOf('web'), 0);
  await home.ledger.read('c');
  expect(home.tokens()).toMatchObject({ output: 7 });
  expect(home.rows('model')).toMatchObject([{ key: null }]);
  expect(parseUsageLine('{"type":"assistant","message":{"id":"m","usage":7}}')).toBeNull();
  const other = home.path('d');
  writeFileSync(other, `${home.line({ id: '2', output: 9 })}\n`);
  symlinkSync(other, home.path('linked'));
  linkSync(other, home.path('twice'));
  mkdirSync(home.path('folder'));
  for (const id of ['linked', 'twice', 'folder', '../d']) {
    await home.ledger.follow(id, workOf('web'), 0);
    await home.ledger.read(id);
  }
  expect(home.tokens()).toMatchObject({ output: 7 });
  expect(home.warnings).toBe(0);
});

it('US2 US9 appended lines come once; a replaced, cut or rewritten file begins again', async () => {
  await using home = new UsageHome();
  const path = home.path('c');
  home.append(path, 'a\nb\nrest');
  const first = readAppendedLines(path, null, 8);
  expect(first).toMatchObject({ lines: ['a', 'b'], isEnd: true, place: { offset: 4 } });
  expect(readAppendedLines(path, first?.place ?? null, 8)).toMatchObject({
    lines: [],
    isEnd: true,
  });
  home.append(path, ' of it, too long\nc\n');
  let place = first?.place ?? null;
  const seen: string[] = [];
  for (let isEnd = false; !isEnd;) {
    const read = readAppendedLines(path, place, 8);
    if (read === null) break;
    seen.push(...read.lines);
    ({ place, isEnd } = read);
  }
  expect(seen).toEqual(['c']);
  expect(readAppendedLines(path, place)).toMatchObject({ lines: [], isEnd: true });
  writeFileSync(path, 'new\n');
  expect(readAppendedLines(path, place)?.lines).toEqual(['new']);
  rmSync(path);
  expect(readAppendedLines(path, place)).toBeNull();
});

it('US10 transcripts are read at changes and once a minute, and never without a probe', async () => {
  await using home = new UsageHome();
  const reads: string[] = [];
  const ledger = new Proxy(home.ledger, {
    get: (target, name) => {
      if (name !== 'read') return (Reflect.get(target, name) as () => void).bind(target);
      return async (id: string) => {
        reads.push(id);
        return target.read(id);
      };
    },
  });
  const about = { work: workOf('web'), sinceMs: 0 };
  const options = { ledger, clock: home.clock, logger: { warn: () => 0 }, workOf: () => about };
  const watch = new UsageWatch(options);
  const seen = (conversation: string | null) =>
    watch.seen('web', { process: PROCESS, conversation, statusLine: null });
  seen(null);
  for (let probe = 0; probe < 50; probe += 1) seen('c');
  await home.settle();
  expect(reads).toEqual(['c']);
  expect(home.clock.pending).toBe(0);
  home.clock.advance(60_000);
  seen('c');
  watch.changed('web');
  await home.settle();
  expect(reads).toEqual(['c', 'c', 'c']);
  home.say(home.path('c'), { id: '1', output: 3 });
  seen('d');
  await home.settle();
  expect(home.tokens()).toMatchObject({ output: 3 });
  home.say(home.path('d'), { id: '2', output: 4 });
  watch.ended('web');
  await home.settle();
  expect(home.tokens()).toMatchObject({ output: 7 });
});

it('US15 what is decided at a signal of a loop knows what its agent has just written', async () => {
  await using home = new UsageHome();
  home.ledger.readNow('web', null);
  await home.ledger.follow('c', workOf('web', 'loop'), 0);
  await home.ledger.follow('d', workOf('api', 'loop'), 0);
  home.say(home.path('c'), { id: '1', output: 3 });
  home.say(home.path('d'), { id: '2', output: 50 });
  home.ledger.readNow('web', null);
  expect(home.tokens()).toMatchObject({ output: 3 });
  // The first signal that a new daemon sees comes before its first probe.
  home.say(home.path('c'), { id: '3', output: 4 });
  await home.ledger.dispose();
  home.open();
  home.ledger.readNow('web', null);
  expect(home.tokens()).toMatchObject({ output: 7 });
  await home.ledger.read('c');
  expect(home.tokens()).toMatchObject({ output: 7 });
});

it('US6 US11 sums are by whole days, and name their sources and the newest entry', async () => {
  await using home = new UsageHome();
  const nowMs = home.clock.now();
  await home.ledger.follow('c', workOf('web'), 0);
  for (let day = 0; day < 4; day += 1) {
    home.say(home.path('c'), { id: `${day}`, output: 10 ** day, input: 1, atMs: nowMs });
    home.clock.advance(0);
    await home.ledger.read('c');
    home.clock.jumpWall(DAY_MS);
    home.say(home.path('c'), { id: `late ${day}`, output: 0 });
  }
  home.say(home.path('c'), { id: 'now', output: 5 });
  await home.ledger.read('c');
  const report = home.reports.report({ by: 'day', since: '2026-01-02' }, home.clock.now());
  expect(report).toMatchObject({
    since: '2026-01-02',
    until: null,
    rows: [{ key: '2026-01-05', tokens: { output: 5, sources: ['transcript'] }, cost: null }],
    totals: { tokens: { output: 5, latest_at: '2026-01-05T00:00:00.000Z' } },
    more: false,
  });
  const first = home.reports.report({ by: 'day', until: '2026-01-01' }, nowMs).totals.tokens;
  expect(first).toMatchObject({ output: 1111, input: 4, cache_read: 8, cache_write: 0 });
});

it('US12 every entry is exported, and no cell is a formula', async () => {
  await using home = new UsageHome();
  const work = { ...workOf('web'), person: '=cmd()', project: '/srv/a "b", c' };
  await home.ledger.follow('c', work, 0);
  for (let id = 0; id < 4_100; id += 1) {
    home.append(home.path('c'), `${home.line({ id: `${id}`, output: 1 })}\n`);
  }
  await home.ledger.read('c');
  const [head, first, ...rest] = [...home.reports.lines({ format: 'csv' })].join('').split('\r\n');
  expect(head).toBe(
    'at,source,model,subject,project,person,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cost_micro_usd',
  );
  expect(first).toBe(
    `2026-01-01T00:00:00.000Z,transcript,claude-opus-5-5,session:web,"/srv/a ""b"", c",'=cmd(),0,1,0,0,`,
  );
  expect(rest.length).toBe(4_100);
  const lines = [...home.reports.lines({ format: 'jsonl', until: '2026-01-01' })].join('');
  expect(JSON.parse(lines.split('\n')[4_099] ?? '')).toMatchObject({ person: '=cmd()' });
  expect([...home.reports.lines({ format: 'jsonl', since: '2026-01-02' })]).toEqual([]);
});

it('US13 the table shows each figure with its source and age', async () => {
  await using home = new UsageHome();
  const empty = home.reports.report({ by: 'model' }, home.clock.now());
  expect(usageTable(empty)).toEqual(['no usage in these days']);
  home.ledger.addResult('t', [spent(20, 1.5)], workOf('fix', 'task'));
  const report = home.reports.report({ by: 'model' }, home.clock.now() + 180_000);
  expect(usageTable(report).map((line) => line.split(/ {2,}/))).toEqual([
    ['MODEL', 'INPUT', 'OUTPUT', 'CACHE READ', 'CACHE WRITE', 'TOKENS FROM', 'COST', 'COST FROM'],
    ['claude-opus-5-5', '0', '20', '0', '0', 'result 3 min ago', '$1.50', 'result 3 min ago'],
    ['total', '0', '20', '0', '0', 'result 3 min ago', '$1.50', 'result 3 min ago'],
  ]);
});

it('US3 the transcripts of subagents count with their conversation', async () => {
  await using home = new UsageHome();
  home.say(home.path('c'), { id: '1', output: 1 });
  home.say(home.subagentPath('c', 'a1'), { id: '2', output: 2 });
  const nested = home.subagentPath('c', 'a2').replace('agent-a2', 'deep/agent-a2');
  home.say(nested, { id: '3', output: 4 });
  home.append(`${dirname(nested)}/notes.jsonl`, `${home.line({ id: '4', output: 8 })}\n`);
  await home.ledger.follow('c', workOf('web'), 0);
  await home.ledger.read('c');
  expect(home.tokens()).toMatchObject({ output: 7 });
});
