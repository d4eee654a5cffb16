/** One watch of a client that a test plays: its process, its record, its screen. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AgentRecords } from '../../../server/agents/records/agent-records.ts';
import type { Careful } from '../../../shared/schema/agents/agent-state.ts';
import { AgentWatch } from '../../../server/sessions/watching/agent-watch.ts';
import { receipt } from '../../../server/sessions/typing/receipt.ts';
import type { Foreground, ScreenSnapshot } from '../../../server/terminals/terminal.ts';
import { until } from '../../support/house/until.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const PROGRAM = { pid: 4_000_001, startedAt: '77', name: 'claude', group: 9, foregroundGroup: 9 };
const SHELL = { pid: 4_000_000, startedAt: '76' };
const NEXT = { pid: 4_000_002, startedAt: '78' };
const LEFT = { kind: 'session_end', sessionId: null, reason: 'prompt_input_exit' } as const;
const CLIENT: Foreground = { kind: 'program', program: PROGRAM, forked: false };
const HOUR_MS = 3_600_000;
const EDGE = '─'.repeat(40);
const BOX = ['● Done.', '', EDGE, '❯ ', EDGE, '  ? for shortcuts'];

class Client {
  readonly clock = new ManualClock();
  readonly states: string[] = [];
  foreground: Foreground = CLIENT;
  lines = BOX;
  /** Why its client may not be typed into. */
  careful: (version: string | null) => Careful | null = () => null;
  readonly #home = mkdtempSync(join(TEST_ROOT, 'client-'));
  readonly #file = join(this.#home, 'sessions', `${PROGRAM.pid}.json`);
  readonly watch: AgentWatch;
  readonly records: AgentRecords;

  /** `later`: no client has run here yet. */
  constructor(directory: 'there' | 'later' = 'there') {
    if (directory === 'there') mkdirSync(join(this.#home, 'sessions'));
    onTestFinished(() => rmSync(this.#home, { recursive: true }));
    const environment = { CLAUDE_CONFIG_DIR: this.#home };
    this.records = new AgentRecords({ program: 'claude', environment });
    this.watch = new AgentWatch({
      terminal: {
        foreground: () => this.foreground,
        snapshot: async () => Promise.resolve(this.#snapshot()),
        changedAt: () => null,
      },
      records: this.records,
      clock: this.clock,
      careful: (version) => this.careful(version),
      changed: (agent) => this.states.push(`${agent?.state} ${agent?.cause}`),
    });
  }

  record(status: string, sessionId = 'talk', version?: string): void {
    const statusUpdatedAt = this.clock.now();
    const { pid, startedAt: procStart } = PROGRAM;
    const record = { pid, procStart, sessionId, status, statusUpdatedAt, version };
    mkdirSync(join(this.#home, 'sessions'), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(record));
  }

  /** A line of the transcript of the conversation that the record names. */
  write(sessionId: string, line: object): void {
    const directory = join(this.#home, 'projects', 'web');
    mkdirSync(directory, { recursive: true });
    appendFileSync(join(directory, `${sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
  }

  /** As at `/exit`: the record goes first, and the screen with it. */
  takeBack(): void {
    rmSync(this.#file);
    this.lines = ['Goodbye!', 'Resume this conversation with a flag'];
  }

  /** Time passes, with a cheap probe every half second as the daemon makes them. */
  async pass(ms: number): Promise<void> {
    for (let passed = 500; passed <= ms; passed += 500) {
      this.clock.advance(500);
      await this.watch.probe();
    }
    // A probe started by a timer waits only for promises.
    await new Promise(setImmediate);
  }

  #snapshot(): ScreenSnapshot {
    const shown = { cols: 40, rows: 20, cursor: [3, 2] as [number, number] };
    return { ...shown, cursorVisible: true, alternate: false, lines: this.lines };
  }
}

async function readyClient(): Promise<Client> {
  const client = new Client();
  client.record('idle');
  await client.watch.probe();
  await client.pass(1_000);
  expect(client.states).toEqual(['ready none']);
  return client;
}

it('AG14 a client that exits is never unknown on the way', async () => {
  const client = await readyClient();
  client.takeBack();
  await client.watch.probe();
  await client.pass(1_500);
  client.foreground = { kind: 'shell', name: 'bash', process: SHELL };
  await client.pass(5_000);
  expect(client.states).toEqual(['ready none', 'exited none']);
});

it('LP11 the end of a new agent is not explained by the one that a person had left', async () => {
  const client = await readyClient();
  client.watch.handleHook(LEFT);
  client.takeBack();
  client.foreground = { kind: 'shell', name: 'bash', process: SHELL };
  await client.watch.probe();
  client.watch.expect(NEXT, '/none');
  await client.watch.probe();
  expect(client.states).toEqual(['ready none', 'exited by_person', 'exited none']);
});

it('LP11 what an agent reports stays known while it is expected again', async () => {
  const client = await readyClient();
  client.watch.expect(NEXT, '/none');
  await client.watch.probe();
  client.watch.handleHook(LEFT);
  client.watch.expect(NEXT, '/none');
  client.watch.expect(PROGRAM, '/none');
  client.foreground = { kind: 'shell', name: 'bash', process: SHELL };
  await client.watch.probe();
  expect(client.states.at(-1)).toBe('exited by_person');
});

it('AG14 while its state is in doubt there is no box to type into', async () => {
  const client = await readyClient();
  expect(await client.watch.foreground()).toMatchObject({ state: 'ready', box: 'empty' });
  client.takeBack();
  expect(await client.watch.foreground()).toMatchObject({ state: 'ready', box: 'none' });
});

it('AG14 a client that stays and cannot be read is reported as unknown after 2 s, once', async () => {
  const client = await readyClient();
  client.takeBack();
  await client.watch.probe();
  await client.pass(2_000);
  expect(client.states).toEqual(['ready none']);
  await client.pass(500);
  expect(client.states).toEqual(['ready none', 'unknown not_understood']);
  await client.pass(10_000);
  expect(client.states).toHaveLength(2);
});

it('AG14 a state that can be read again within 2 s was never in doubt', async () => {
  const client = await readyClient();
  client.takeBack();
  await client.watch.probe();
  await client.pass(1_500);
  client.lines = BOX;
  await client.pass(1_500);
  client.lines = ['nothing known'];
  await client.pass(2_000);
  expect(client.states).toEqual(['ready none']);
});

it('AG14 another program in the foreground is reported after 2 s', async () => {
  const client = await readyClient();
  client.foreground = {
    kind: 'program',
    program: { ...PROGRAM, pid: 7, name: 'vim' },
    forked: false,
  };
  await client.watch.probe();
  expect(await client.watch.foreground()).toMatchObject({ kind: 'program', name: 'vim' });
  await client.pass(3_000);
  expect(client.states).toEqual(['ready none', 'unknown not_understood']);
});

it('AG4 a disagreement is probed when its 2 s are over, also after probes in between', async () => {
  const client = await readyClient();
  client.record('busy');
  await client.watch.probe();
  expect(client.states.at(-1)).toBe('working none');
  await client.pass(2_500);
  expect(client.states.at(-1)).toBe('unknown disagreement');
});

it('IN10 at work too the transcript confirms queued input, after the probe that allowed it', async () => {
  const client = await readyClient();
  client.record('busy');
  const before = await client.watch.receiver();
  const queue = (content: string, atMs: number) => {
    const timestamp = new Date(atMs).toISOString();
    client.write('talk', { type: 'queue-operation', operation: 'enqueue', timestamp, content });
  };
  queue('go on', before.atMs);
  client.clock.advance(200);
  expect(receipt(before, await client.watch.receiver(), 'go on')).not.toBe('delivered');
  queue('go on', before.atMs + 100);
  const after = await client.watch.receiver();
  expect(receipt(before, after, 'go on')).toBe('delivered');
  expect(receipt(before, after, 'stop')).not.toBe('delivered');
});

it('IN2 IN12 the colours of the terminal distinguish a draft from a suggestion under the cursor', async () => {
  const client = await readyClient();
  const box = async (...words: string[]) => {
    client.lines = BOX.with(3, `❯ ${words.join('')}`);
    const front = await client.watch.foreground();
    return front.kind === 'agent' ? front.box : front.kind;
  };
  expect(await box('\x1b[7mr\x1b[0mm nothing yet')).toBe('draft');
  expect(await box('\x1b[7mT\x1b[0m\x1b[2mry "edit a.ts"\x1b[0m')).toBe('empty');
});

it('FA14 AG4 a clock that is set back postpones neither a disagreement nor a doubt', async () => {
  const client = await readyClient();
  client.record('busy');
  await client.watch.probe();
  client.clock.jumpWall(-3 * HOUR_MS);
  await client.pass(4_500);
  expect(client.states.at(-1)).toBe('unknown disagreement');
  expect(Date.parse(client.watch.state?.since ?? '')).toBeLessThanOrEqual(client.clock.now());

  const other = await readyClient();
  other.takeBack();
  await other.watch.probe();
  other.clock.jumpWall(-3 * HOUR_MS);
  await other.pass(3_000);
  expect(other.states.at(-1)).toBe('unknown not_understood');
});

it('FA14 a screen is newer than a record from before the clock was set back', async () => {
  const client = new Client();
  client.clock.jumpWall(3 * HOUR_MS);
  client.record('idle');
  client.clock.jumpWall(-3 * HOUR_MS);
  client.lines = [];
  await client.pass(3_000);
  expect(client.states).toEqual(['starting none']);
  client.lines = BOX;
  await client.pass(3_000);
  expect(client.states.at(-1)).toBe('ready none');
});

it('FA14 a limit that a hook reports after the clock was set back is not older than its prompt', async () => {
  const client = await readyClient();
  client.watch.handleHook({ kind: 'prompt', sessionId: null, text: 'go on' });
  client.record('busy');
  await client.pass(500);
  client.clock.jumpWall(-3 * HOUR_MS);
  const failure = { kind: 'stop_failure', sessionId: null, cause: 'rate_limit' } as const;
  client.watch.handleHook({
    ...failure,
    text: 'limit',
    limit: { cause: 'five_hour', untilText: null },
  });
  client.record('idle');
  await client.pass(1_000);
  expect(client.states.at(-1)).toBe('limited five_hour');
});

it('CF1 the state of an untested client is shown as it is read, and says that it is careful', async () => {
  const client = new Client();
  client.careful = (version) => (version === null ? null : { cause: 'untested_version', version });
  client.record('idle', 'talk', '2.1.900');
  await client.watch.probe();
  await client.pass(1_000);
  const careful = { cause: 'untested_version', version: '2.1.900' };
  expect(client.watch.state).toMatchObject({ state: 'ready', careful });
  expect(await client.watch.foreground()).toMatchObject({ box: 'empty', isUntested: true });
  // Trusted: reported at the next probe, though nothing else changed.
  client.careful = () => null;
  await client.pass(500);
  expect(client.watch.state).not.toHaveProperty('careful');
  expect(client.states).toEqual(['ready none', 'ready none']);
});

it('CF2 witnesses that disagree are careful mode too', async () => {
  const client = await readyClient();
  client.record('waiting');
  await client.watch.probe();
  await client.pass(6_000);
  expect(client.watch.state).toMatchObject({
    state: 'unknown',
    cause: 'disagreement',
    careful: { cause: 'disagreement', version: null },
  });
});

it('AG22 a record that changes is noticed also where none had been before', async () => {
  const client = new Client('later');
  const hints: number[] = [];
  const stop = client.records.watch((pid) => hints.push(pid));
  onTestFinished(stop);
  client.record('idle');
  // The first one is found by a poll.
  await client.watch.probe();
  await client.pass(1_000);
  expect(client.states).toEqual(['ready none']);
  client.record('busy');
  await until('the hint', () => hints.includes(PROGRAM.pid));
});
