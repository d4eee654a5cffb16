/**
 * What the heartbeat observes of one agent's terminal: a normalized screen, the foreground, the
 * question.
 */
import type { RecoveryMode } from '../../../shared/schema/loops/recovery-mode.ts';
import { BoundedQuestion } from '../../lib/within.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';
import { descendantLoads, type ProcessLoad } from '../../lib/processes/process-load.ts';
import { normalizedScreen } from '../../policy/stall/normalized-screen.ts';
import { recoveryAnswer } from '../../policy/stall/recovery-answer.ts';
import { readStallPrompt } from '../../policy/stall/read-stall-prompt.ts';
import type { StallPrompt } from '../../policy/asking-patterns.ts';
import type { AgentMonitor } from '../../sessions/watching/agent-monitor.ts';
import { isUnchangedSince } from '../../sessions/watching/snapshot-due.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { plainLines } from '../../terminals/screen-lines.ts';
import type { Asking, ScreenObservation } from './terminal-agent.ts';

/** In clock ticks (10 ms): more than an MCP server or a watcher needs while nothing happens. */
const BUSY_TICKS = 50;

const SHOWN_LINES = 5;
/** Longer than the time-out of the terminals themselves. */
const ANSWER_MS = 10_000;
/** The newest of the processes an agent was seen to start. */
const MAX_REMEMBERED = 1_000;

interface ScreenSnapshot {
  rows: string[];
  cursor: [number, number];
}

/** What was read of a snapshot, kept while the same one shows. */
interface Reading {
  mark: string;
  program: string;
  prompt: StallPrompt | null;
}

export class ScreenProbe {
  readonly #sessionName: string;
  readonly #sessions: Sessions;
  readonly #monitor: AgentMonitor;
  readonly #clock: Clock;
  readonly #mode: RecoveryMode;
  readonly #question: BoundedQuestion<ScreenObservation>;
  #agent: ProcessIdentity | null = null;
  #taken: { snapshot: ScreenSnapshot; atMs: number } | null = null;
  readonly #readings = new WeakMap<ScreenSnapshot, Reading>();
  #loads: ReadonlyMap<number, ProcessLoad> = new Map();
  readonly #descendants = new Map<number, ProcessIdentity>();

  constructor(
    sessionName: string,
    options: { sessions: Sessions; monitor: AgentMonitor; clock: Clock; recovery: RecoveryMode },
  ) {
    this.#sessionName = sessionName;
    this.#sessions = options.sessions;
    this.#monitor = options.monitor;
    this.#clock = options.clock;
    this.#mode = options.recovery;
    this.#question = new BoundedQuestion(options.clock, ANSWER_MS, async () => this.#foreground());
  }

  /** Processes that the agent was seen to have started; some may have ended, or moved elsewhere. */
  get descendants(): ProcessIdentity[] {
    return [...this.#descendants.values()];
  }

  /** What the terminal shows now; null when it cannot be read in time. Never rejects. */
  async observe(agent: ProcessIdentity | null): Promise<ScreenObservation | null> {
    this.#agent = agent;
    return (await this.#question.ask())?.answer ?? null;
  }

  /** Throws `terminal_failed`. */
  async #foreground(): Promise<ScreenObservation> {
    const agent = this.#agent;
    const foreground = this.#sessions.foreground(this.#sessionName);
    const isAgent = foreground.kind === 'program' && foreground.program.pid === agent?.pid;
    // Before anything that may fail: the descendants are remembered for the end of the run.
    const busy = agent !== null && this.#hasComputed(agent.pid);
    const snapshot = await this.#snapshot();
    const program = foreground.kind === 'program' ? foreground.program.name : '';
    const { mark, prompt } = this.#read(snapshot, program);
    const asking = isAgent ? this.#asking(snapshot, prompt) : nothingAsked(snapshot);
    return { mark, foreign: !isAgent, busy, asking };
  }

  /** Whether exactly these lines still ask. */
  async stillAsks(lines: readonly string[]): Promise<boolean> {
    const foreground = this.#sessions.foreground(this.#sessionName);
    if (foreground.kind !== 'program') return false;
    this.#taken = null;
    const prompt = readPrompt(await this.#snapshot(), foreground.program.name);
    return prompt !== null && prompt.lines.join('\n') === lines.join('\n');
  }

  #read(snapshot: ScreenSnapshot, program: string): Reading {
    const known = this.#readings.get(snapshot);
    if (known?.program === program) return known;
    const mark = normalizedScreen(snapshot.rows);
    const reading = { mark, program, prompt: readPrompt(snapshot, program) };
    this.#readings.set(snapshot, reading);
    return reading;
  }

  #asking(snapshot: ScreenSnapshot, prompt: StallPrompt | null): Asking {
    const agent = this.#monitor.agent(this.#sessionName);
    if (prompt === null || agent?.cause === 'disagreement') {
      const { lines } = nothingAsked(snapshot);
      return { lines, failure: agent?.state === 'unknown' ? 'not_understood' : 'no_prompt' };
    }
    const verdict = recoveryAnswer(prompt, this.#mode);
    return 'answer' in verdict
      ? { lines: prompt.lines, answer: verdict.answer }
      : { lines: prompt.lines, failure: verdict.refused };
  }

  /** A terminal without output since the last snapshot needs no new one. */
  async #snapshot(): Promise<ScreenSnapshot> {
    const changedAtMs = this.#sessions.changedAt(this.#sessionName);
    const atMs = this.#clock.now();
    if (this.#taken !== null && isUnchangedSince(this.#taken.atMs, changedAtMs, atMs)) {
      return this.#taken.snapshot;
    }
    const { lines, cursor } = await this.#sessions.snapshot(this.#sessionName);
    const snapshot = { rows: plainLines(lines), cursor };
    this.#taken = { snapshot, atMs };
    return snapshot;
  }

  /** Since the last heartbeat; a new process counts with all its CPU time. */
  #hasComputed(pid: number): boolean {
    const before = this.#loads;
    this.#loads = descendantLoads(pid);
    let computed = 0;
    for (const [child, load] of this.#loads) {
      this.#remember(load);
      computed += load.ticks - (before.get(child)?.ticks ?? 0);
    }
    return computed >= BUSY_TICKS;
  }

  #remember({ pid, startedAt }: ProcessIdentity): void {
    this.#descendants.delete(pid);
    this.#descendants.set(pid, { pid, startedAt });
    const [oldest] = this.#descendants.keys();
    if (this.#descendants.size > MAX_REMEMBERED && oldest !== undefined) {
      this.#descendants.delete(oldest);
    }
  }
}

function readPrompt({ rows, cursor }: ScreenSnapshot, program: string): StallPrompt | null {
  return readStallPrompt({ rows, cursor, program });
}

function nothingAsked({ rows }: ScreenSnapshot): Extract<Asking, { failure: unknown }> {
  const shown = rows.map((row) => row.trimEnd()).filter((row) => row !== '');
  return { lines: shown.slice(-SHOWN_LINES), failure: 'no_prompt' };
}
