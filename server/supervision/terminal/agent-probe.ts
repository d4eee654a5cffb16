/**
 * What one agent is doing, by its process and by what is known about it. A source that fails or
 * does not answer in time is `unknown`: a probe never rejects and never hangs.
 */
import { agentGroup, type AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { asksNothing } from '../../../shared/rules/events/client-view.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import { attentionFor } from '../../attention/attention-for.ts';
import type { Clock } from '../../lib/clock.ts';
import { isSameProcess, type ProcessIdentity } from '../../lib/processes/process-identity.ts';
import type { Processes } from '../../lib/processes/processes.ts';
import { BoundedQuestion, within } from '../../lib/within.ts';
import type { AgentMonitor } from '../../sessions/watching/agent-monitor.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { TERMINAL_VARIABLE } from '../../terminals/end-terminal.ts';
import { plainLines } from '../../terminals/screen-lines.ts';
import type { Foreground } from '../../terminals/terminal.ts';
import { evidenceOf } from '../evidence-of.ts';
import type {
  AgentObservation,
  ObservedStatus,
  AgentWait,
  TerminalAgent,
} from './terminal-agent.ts';

export interface AgentProbeOptions {
  sessions: Sessions;
  monitor: AgentMonitor;
  processes: Processes;
  clock: Clock;
}

/** Longer than a loaded machine needs for a snapshot. */
const ANSWER_MS = 3_000;

export class AgentProbe {
  readonly #sessionName: string;
  readonly #options: AgentProbeOptions;
  readonly #known: BoundedQuestion<AgentState | null>;
  readonly #screen: BoundedQuestion<string>;
  readonly #leftRows: BoundedQuestion<string[]>;
  readonly #tag: BoundedQuestion<string | null>;
  #lastScreen: string | null = null;

  constructor(sessionName: string, options: AgentProbeOptions) {
    const { sessions, monitor, clock } = options;
    this.#sessionName = sessionName;
    this.#options = options;
    const bounded = <Answer>(ask: () => Promise<Answer>) =>
      new BoundedQuestion(clock, ANSWER_MS, ask);
    this.#known = bounded(async () => monitor.probe(sessionName));
    this.#screen = bounded(async () => (await sessions.screen(sessionName)).lines.join('\n'));
    this.#leftRows = bounded(async () => rowsAboveCursor(await sessions.snapshot(sessionName)));
    this.#tag = bounded(async () => sessions.tagOf(sessionName));
  }

  /** The observation, or the process of an agent that had not been seen before. */
  async observe(
    agent: TerminalAgent,
    wallMs: number,
  ): Promise<AgentObservation | { seen: ProcessIdentity }> {
    const status = await this.#status(agent);
    if (typeof status !== 'string') return status;
    const known = this.#options.monitor.agent(this.#sessionName);
    const isEnding = agent.phase === 'ending';
    const witnesses = isEnding ? await this.#witnesses(agent, known, wallMs) : [];
    const hasCrashed = status === 'gone' && agent.phase === 'working';
    const lastRows = hasCrashed ? ((await this.#leftRows.ask())?.answer ?? []) : [];
    return { agent: status, known, wait: agentWait(known), witnesses, lastRows };
  }

  /** Whether the exact agent that was stored is in the foreground and has something to do. */
  async isAtWork({ process }: TerminalAgent): Promise<boolean> {
    const foreground = this.#foreground();
    if (process === null || foreground?.kind !== 'program') return false;
    if (!isSameProcess(foreground.program, process)) return false;
    const agent = await this.#known.ask();
    return agent === null || agent.answer === null || agentGroup(agent.answer.state) !== 'idle';
  }

  /** The program in the foreground; null for a shell, and when the terminal does not answer. */
  front(): ProcessIdentity | null {
    const foreground = this.#foreground();
    return foreground?.kind === 'program' ? foreground.program : null;
  }

  async #status(agent: TerminalAgent): Promise<ObservedStatus | { seen: ProcessIdentity }> {
    const { phase, process } = agent;
    if (phase === 'absent' || phase === 'launching') return 'working';
    const lives = process !== null && this.#lives(process);
    if (lives === null) return 'unknown';
    if (lives) return phase === 'ending' ? this.#idleness(agent) : 'working';
    const found = await this.#afterwards(agent);
    // A stop needs no more than the end of its agent: the terminal may be gone or silent.
    const isOver = phase === 'ending' && process !== null;
    return isOver && (found === 'unknown' || found === 'working') ? 'gone' : found;
  }

  /** For an agent that does not run, or has not been seen yet. */
  async #afterwards(agent: TerminalAgent): Promise<ObservedStatus | { seen: ProcessIdentity }> {
    const { process } = agent;
    const foreground = this.#foreground();
    if (foreground === null) return 'unknown';
    if (foreground.kind === 'shell') return this.#exitStatus(agent);
    // A removed terminal is reported by the sessions.
    if (foreground.kind !== 'program' || foreground.forked) return 'working';
    const { pid, startedAt } = foreground.program;
    if (process === null) return { seen: { pid, startedAt } };
    const isOurs = await this.#isLaterLaunch(agent);
    if (isOurs === null) return 'unknown';
    return isOurs ? { seen: { pid, startedAt } } : 'gone';
  }

  /** Null when it cannot be determined. */
  #lives(identity: ProcessIdentity): boolean | null {
    try {
      return this.#options.processes.read(identity.pid)?.startedAt === identity.startedAt;
    } catch {
      return null;
    }
  }

  /** Null when it cannot be determined. */
  #foreground(): Foreground | null {
    try {
      return this.#options.sessions.foreground(this.#sessionName);
    } catch {
      return null;
    }
  }

  /**
   * The row came from a backup, and the agent was started again since: the terminal's tag shows it.
   */
  async #isLaterLaunch({ runId, launchCount }: TerminalAgent): Promise<boolean | null> {
    const tag = await this.#tag.ask();
    if (tag === null) return null;
    const [run, launch] = tag.answer?.split('.') ?? [];
    return run === runId && Number(launch) > launchCount;
  }

  /** Independent proof that this exact agent still runs. */
  async #witnesses(
    { process }: TerminalAgent,
    known: AgentState | null,
    wallMs: number,
  ): Promise<Evidence[]> {
    if (process === null || this.#lives(process) !== true) return [];
    const { pid } = process;
    const seen = [evidenceOf('process', wallMs, [`process ${pid} runs`])];
    if (await this.#isOfTerminal(process)) {
      const text = `process ${pid} was started in the terminal of ${this.#sessionName}`;
      seen.push(evidenceOf('origin', wallMs, [text]));
    }
    const foreground = this.#foreground();
    if (foreground?.kind === 'program' && foreground.program.pid === pid) {
      const text = `${foreground.program.name} is in the foreground of the terminal`;
      seen.push(evidenceOf('terminal', wallMs, [text]));
    }
    if (known?.witness === 'record') {
      seen.push(evidenceOf('record', wallMs, [`the client reports ${known.state}`]));
    }
    return seen;
  }

  /** By the mark that everything started in the terminal has in its environment. */
  async #isOfTerminal({ pid }: ProcessIdentity): Promise<boolean> {
    const { processes, clock } = this.#options;
    const mark = this.#mark();
    if (mark === undefined) return false;
    const environment = await within(clock, ANSWER_MS, processes.environment(pid));
    return environment?.answer.includes(`\0${TERMINAL_VARIABLE}=${mark}\0`) === true;
  }

  /** Undefined too when it cannot be read: the database is closed when the daemon ends. */
  #mark(): string | undefined {
    try {
      return this.#options.sessions.identityOf(this.#sessionName)?.mark;
    } catch {
      return undefined;
    }
  }

  /**
   * `left` when the client reported that a person exited it; anything else is a crash until the
   * supervisor knows better.
   */
  async #exitStatus({ phase }: TerminalAgent): Promise<ObservedStatus> {
    const known = await this.#known.ask();
    // A stop needs no reason why its agent ended.
    if (known === null && phase !== 'ending') return 'unknown';
    const agent = known?.answer;
    return agent?.state === 'exited' && agent.cause === 'by_person' ? 'left' : 'gone';
  }

  async #idleness({ announced }: TerminalAgent): Promise<ObservedStatus> {
    const known = await this.#known.ask();
    if (known === null) return 'unknown';
    const agent = known.answer;
    if (agent !== null && agent.state !== 'unknown' && agent.state !== 'starting') {
      // One at its limit would continue later; one that has announced its end has nothing to do.
      const isAtEnd = agent.state === 'limited' && announced;
      const isIdle = agentGroup(agent.state) === 'idle' || asksNothing(agent);
      return isIdle || isAtEnd ? 'idle' : 'working';
    }
    // An agent that announced its end and shows nothing new needs no further witness, even when
    // nothing it shows is understood; one that was asked to stop does.
    const shown = await this.#screen.ask();
    if (shown === null) return 'unknown';
    const settled = shown.answer === this.#lastScreen;
    this.#lastScreen = shown.answer;
    return settled && announced ? 'idle' : 'working';
  }
}

/** Rows with text, not only frames; the cursor is on the prompt of the shell. */
function rowsAboveCursor({
  lines,
  cursor,
}: {
  lines: readonly string[];
  cursor: [number, number];
}) {
  return plainLines(lines.slice(0, cursor[0]))
    .map((row) => row.trimEnd())
    .filter((row) => /[\p{L}\p{N}]/u.test(row));
}

/** What an agent waits for, other than a limit. */
function agentWait(agent: AgentState | null): AgentWait | null {
  if (agent === null) return null;
  const need = attentionFor(agent);
  if (need !== null) return waitOf(agent, need.reason, need.detail ?? need.title);
  if (agent.state === 'retrying') return waitOf(agent, 'retrying', agent.detail ?? agent.cause);
  if (agent.cause === 'hung_stream') return waitOf(agent, 'hung_stream', agent.detail ?? '');
  return null;
}

function waitOf(agent: AgentState, reason: AgentWait['reason'], detail: string): AgentWait {
  const { witness, since, until } = agent;
  return { reason, since, until, evidence: [evidenceOf(witness, Date.parse(since), [detail])] };
}
