/** The output of a headless client: lines from pieces, events from lines, one outcome from all. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LineEnd, LineSplitter } from '../../../server/agents/headless/line-splitter.ts';
import { parseStreamLine } from '../../../server/agents/headless/stream-event.ts';
import { turnCommand } from '../../../server/agents/headless/turn-command.ts';
import { foldLine, NO_FACTS } from '../../../server/agents/headless/stream-facts.ts';
import { judgeTurn, type TurnEnd } from '../../../server/agents/headless/turn-outcome.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';

const FIXTURES = join(packageRoot(), 'test/fixtures/headless');
const MIB = 1024 * 1024;

const ENDED: TurnEnd = {
  started: true,
  exitCode: 1,
  signal: null,
  stopped: false,
  stderrTail: '',
  nowMs: Date.parse('2026-11-21T20:53:30Z'),
};

type Taken = [text: string | null, end: LineEnd];

function split(pieces: readonly Buffer[], maxBytes?: number): Taken[] {
  const taken: Taken[] = [];
  const keep = (text: string | null, end: LineEnd) => void taken.push([text, end]);
  const splitter = new LineSplitter({ line: 0, offset: 0 }, keep, maxBytes);
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return taken;
}

function read(name: string): string[] {
  return readFileSync(join(FIXTURES, `${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n');
}

function outcomeOf(lines: readonly string[], end: Partial<TurnEnd> = {}) {
  const facts = lines.map(parseStreamLine).reduce(foldLine, NO_FACTS);
  return judgeTurn(facts, { ...ENDED, ...end });
}

it('HC2 lines are the same for any cut of the stream, also inside a character', () => {
  const bytes = Buffer.from('{"a":"ä€𝄞"}\n\n{"b":2}\n{"last":"ü"}');
  const whole = split([bytes]);
  expect(whole.map(([text]) => text)).toEqual(['{"a":"ä€𝄞"}', '', '{"b":2}', '{"last":"ü"}']);
  expect(whole.at(-1)?.[1]).toEqual({ line: 4, offset: bytes.length });
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(split([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
  }
  expect(split([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole);
});

it('HC2, HC16 a line of megabytes passes; one over the limit is skipped, and nothing after it is lost', () => {
  const long = `"${'x'.repeat(5 * MIB)}"`;
  const bytes = Buffer.from(`${long}\nnext\n`);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  );
  expect(split(pieces).map(([text]) => text?.length)).toEqual([long.length, 4]);
  expect(split(pieces, MIB)).toEqual([
    [null, { line: 1, offset: long.length + 1 }],
    ['next', { line: 2, offset: bytes.length }],
  ]);
});

it('HC3 a line gives its blocks in order; what is unknown gives nothing and hides nothing', () => {
  const content = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'I will.' },
    { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
  ];
  expect(parseStreamLine(JSON.stringify({ type: 'assistant', message: { content } }))).toEqual([
    { kind: 'text', text: 'I will.' },
    { kind: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
  ]);
  expect(parseStreamLine('{"type":"new_thing"}')).toEqual([]);
  expect(parseStreamLine('null')).toEqual([]);
  expect(parseStreamLine('{"type":"assist')).toBeNull();
});

it('HC3 calls, results, denials, retries and limits are read from what a client printed', () => {
  const kinds = (name: string) =>
    read(name)
      .flatMap((line) => parseStreamLine(line)?.map(({ kind }) => kind) ?? ['?'])
      .filter((kind) => kind !== 'context');
  expect(kinds('denied')).toEqual([
    'init',
    'text',
    'tool_use',
    'denied',
    'tool_result',
    'text',
    'result',
  ]);
  expect(kinds('overloaded')).toEqual(['init', 'retry', 'text', 'result']);
  expect(kinds('five-hour-limit')).toEqual(['init', 'limit', 'text', 'result']);
  // The note about the interruption is not the agent's text.
  expect(kinds('interrupted')).toEqual(['init', 'text', 'result']);
});

it.each([
  ['success', { context: { percent: 0, isCompacted: false } }],
  ['compacted', { ok: true, text: '', context: { percent: 0, isCompacted: true } }],
  // It is no error to the client.
  ['compaction-failed', { ok: true, context: { percent: null, isCompacted: false } }],
])('HC24 what a client printed at %s says how full its context is', (name, outcome) => {
  expect(outcomeOf(read(name))).toMatchObject(outcome);
});

/** A turn whose last request holds so many tokens, of a window of 1000. */
function turnOf(input_tokens: number, more: object = {}, window: object = { contextWindow: 1000 }) {
  const usage = { input_tokens, cache_read_input_tokens: 100, output_tokens: 50 };
  const answer = { type: 'assistant', message: { model: 'm', content: [], usage }, ...more };
  const result = { type: 'result', is_error: false, result: 'a', modelUsage: { m: window } };
  return [answer, result].map((line) => JSON.stringify(line));
}

it('HC24 the context holds what was asked last, cached or not, and the answer', () => {
  expect(outcomeOf(turnOf(550)).context.percent).toBe(70);
  expect(outcomeOf([...turnOf(850), ...turnOf(549)]).context.percent).toBe(69);
});

it('HC24 without a window, and for a subagent, it is not known', () => {
  expect(outcomeOf(turnOf(550, {}, {})).context.percent).toBeNull();
  expect(outcomeOf(turnOf(550, { parent_tool_use_id: 'toolu_1' })).context.percent).toBeNull();
});

it('HC24 a client that compacts within a turn says how much is left', () => {
  const boundary = (compact_metadata: object) =>
    JSON.stringify({ type: 'system', subtype: 'compact_boundary', compact_metadata });
  const [asked = '', result = ''] = turnOf(800);
  const left = outcomeOf([asked, boundary({ post_tokens: 120 }), result]);
  expect(left).toMatchObject({ context: { percent: 12, isCompacted: true } });
  const silent = outcomeOf([asked, boundary({}), result]);
  expect(silent).toMatchObject({ context: { percent: null, isCompacted: true } });
});

const WINDOW_END = 1_795_299_805_000;

it.each([
  ['success', { ok: true, text: 'Hello', delivery: 'heard' }],
  ['image', { ok: true, text: 'I see it' }],
  ['background-command', { ok: true, text: 'left it' }],
  ['denied', { ok: true, denials: [{ tool: 'Bash' }] }],
  ['unknown-session', { ok: false, error: 'bad_session', delivery: 'not_heard' }],
  ['five-hour-limit', { ok: false, error: 'limit', until: WINDOW_END, delivery: 'heard' }],
  ['weekly-limit', { ok: false, error: 'limit', until: WINDOW_END }],
  ['rate-limit', { ok: false, error: 'overloaded', until: null }],
  ['overloaded', { ok: false, error: 'overloaded' }],
  ['no-credit', { ok: false, error: 'billing' }],
  ['expired-login', { ok: false, error: 'auth' }],
  ['no-login', { ok: false, error: 'auth' }],
  ['prompt-too-long', { ok: false, error: 'invalid_request' }],
  ['invalid-request', { ok: false, error: 'invalid_request' }],
  ['max-turns', { ok: false, error: 'max_turns' }],
  ['interrupted', { ok: false, error: 'interrupted', delivery: 'heard' }],
  ['interrupted-in-tool', { ok: false, error: 'interrupted' }],
])('HC4 what a client printed at %s is judged by its own result', (name, outcome) => {
  expect(outcomeOf(read(name))).toMatchObject(outcome);
});

it('HC4 an answer that mentions limits and errors is still an answer', () => {
  const words = "You've hit your 5-hour limit · resets 1pm. API Error: 529 Overloaded. /login";
  const line = { type: 'result', subtype: 'success', is_error: false, result: words };
  expect(outcomeOf([JSON.stringify(line)])).toMatchObject({ ok: true, text: words });
});

it('HC5 without an event of it, the end of a limit is read from its text', () => {
  const lines = read('five-hour-limit').filter((line) => !line.includes('rate_limit_event'));
  const until = Date.parse('2026-11-21T22:23:00Z');
  expect(outcomeOf(lines)).toMatchObject({ ok: false, error: 'limit', until });
});

it('HC5 a limit that was lifted before the result does not count', () => {
  const lifted = '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}';
  const [init = '', limit = ''] = read('five-hour-limit');
  const result = read('rate-limit').at(-1) ?? '';
  expect(outcomeOf([init, limit, result])).toMatchObject({ error: 'limit', until: WINDOW_END });
  expect(outcomeOf([init, limit, lifted, result])).toMatchObject({ error: 'overloaded' });
});

it('HC6 the cost of a turn is its own, though the client counts the whole conversation', () => {
  const usage = { inputTokens: 1500, outputTokens: 20, cacheCreationTokens: 0, cacheReadTokens: 0 };
  expect(JSON.parse(read('resumed').at(-1) ?? '')).toMatchObject({ total_cost_usd: 0.0128 });
  expect(outcomeOf(read('resumed'))).toMatchObject({ costUsd: 0.0064, usage });
  const older = '{"type":"result","is_error":false,"result":"","total_cost_usd":0.5}';
  expect(outcomeOf([older])).toMatchObject({ costUsd: 0.5 });
});

it('HC6 a turn of several rounds has the last answer and what all of them used', () => {
  const usage = { inputTokens: 4500, outputTokens: 60, cacheCreationTokens: 0, cacheReadTokens: 0 };
  const text = 'All stub steps are done.';
  expect(outcomeOf(read('woken'))).toMatchObject({ ok: true, text, usage });
  expect(outcomeOf(read('woken')).costUsd).toBeCloseTo(0.0192);
  // A round that began and has no result: what came before is not the answer.
  const cut = read('woken').slice(0, -1);
  expect(outcomeOf(cut)).toMatchObject({ ok: false, error: 'crashed', costUsd: 0.0128 });
});

it.each([
  ['was never let run', [], { started: false }, 'not_started', 'not_heard'],
  [
    'is not there',
    [],
    { exitCode: 127, stderrTail: 'claude: not found' },
    'not_started',
    'not_heard',
  ],
  ['says nothing', [], { exitCode: 1, stderrTail: 'no such option' }, 'crashed', 'unknown'],
  ['is gone, nobody knows how', [], { exitCode: null }, 'crashed', 'unknown'],
  ['had begun', ['{"type":"system","subtype":"init","session_id":"s"}'], {}, 'crashed', 'heard'],
  ['was stopped', [], { stopped: true, signal: 'SIGTERM' }, 'interrupted', 'unknown'],
  ['writes no JSON', ['Hello'], { exitCode: 0 }, 'unreadable', 'unknown'],
  [
    'knows no such conversation',
    [],
    { stderrTail: 'No conversation found with session ID: 1' },
    'bad_session',
    'not_heard',
  ],
])('HC7 for a client that %s it is known whether the agent heard', (...row) => {
  const [, lines, end, error, delivery] = row as [string, string[], object, string, string];
  expect(outcomeOf(lines, end)).toMatchObject({ ok: false, error, delivery });
});

const SAY = {
  permissionMode: 'acceptEdits',
  conversationId: null,
  tools: 'all',
  addDirectories: [],
} as const;

it('HC1, HC15 a message is one argument after -p, and the conversation to continue comes first', () => {
  const fixed = ['--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'];
  expect(turnCommand({ ...SAY, message: 'a "b"\n$(c)' })).toEqual({
    args: ['-p', 'a "b"\n$(c)', ...fixed],
    input: null,
  });
  const more = { conversationId: 's1', addDirectories: ['/a', '/b'] };
  expect(turnCommand({ ...SAY, ...more, message: '--help' }).args).toEqual([
    '-r',
    's1',
    '-p',
    '\n--help',
    ...fixed,
    '--add-dir',
    '/a',
    '--add-dir',
    '/b',
  ]);
  const allow = ['Bash(npm test:*)', 'Bash(git add:*)'];
  expect(turnCommand({ ...SAY, allow, message: 'go' }).args.at(-1)).toBe(
    '--allowedTools=Bash(npm test:*),Bash(git add:*)',
  );
});

it('HC15 images and long messages go over standard input', () => {
  const images = [{ media_type: 'image/png', base64: 'AAAA' }] as const;
  const withImage = turnCommand({ ...SAY, message: 'look', images });
  expect(withImage.args.slice(0, 3)).toEqual(['-p', '--input-format', 'stream-json']);
  expect(JSON.parse(withImage.input ?? '')).toMatchObject({
    type: 'user',
    message: {
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      ],
    },
  });
  expect(turnCommand({ ...SAY, message: 'ä'.repeat(50_000) }).input).toBeNull();
  const long = turnCommand({ ...SAY, message: 'ä'.repeat(50_001) });
  expect(long.args.join(' ').length).toBeLessThan(200);
  expect(long.input?.endsWith('\n')).toBe(true);
});
