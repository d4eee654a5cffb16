/**
 * Collects and assesses the evidence about the agent in one terminal. Probes often and cheaply
 * (processes, times of record and terminal); captures the screen only when it may have changed.
 */
import type { AgentState, Careful } from '../../../shared/schema/agents/agent-state.ts';
import { assess } from '../../agents/reading/assess.ts';
import {
  type Assessment,
  type Evidence,
  isWorthAnEvent,
  NO_EVIDENCE,
  nextAgentState,
  toAgentState,
} from '../../agents/reading/evidence.ts';
import type { HookEvent } from '../../agents/hooks/hook-event.ts';
import {
  Past,
  setBackAssessment,
  setBackEvidence,
} from '../../agents/reading/set-back-evidence.ts';
import { readStatusLine, type StatusLine } from '../../agents/records/status-line.ts';
import type { TranscriptTail } from '../../agents/records/transcript-tail.ts';
import type { Timer } from '../../lib/clock.ts';
import {
  isSameProcess,
  type ProcessIdentity,
  type ProcessState,
} from '../../lib/processes/process-identity.ts';
import { Serial } from '../../lib/serial.ts';
import { SetBack } from '../../lib/set-back.ts';
import type { Foreground } from '../../terminals/terminal.ts';
import { type AgentDetails, agentDetails, carefulOf, promptOf } from './agent-details.ts';
import { AgentScreen } from './agent-screen.ts';
import type { AgentWatchOptions } from './agent-watch-options.ts';
import { HookMemory } from './hook-memory.ts';
import type { ProbedForeground } from '../typing/may-type.ts';
import { type ForegroundProgram, foregroundProgram } from '../typing/program.ts';
import type { Receiver } from '../typing/receipt.ts';

/** A change in the record is drawn half a second later: a dialog, how a turn ended. */
const DRAWN_MS = 600;
/** Witnesses that disagree, or report nothing any more, are probed again when their 2 s are over. */
const CONFLICT_PROBE_MS = 2_100;

export class AgentWatch {
  readonly #options: AgentWatchOptions;
  readonly #transcript: TranscriptTail;
  readonly #screen: AgentScreen;
  readonly #probes = new Serial();
  readonly #setBack: SetBack;
  /** The agent process last seen in the foreground. */
  #process: ProcessIdentity | null = null;
  /** The process that a supervisor knows to be its agent, under any name. */
  #expected: ProcessIdentity | null = null;
  #statusLineFile: string | null = null;
  #evidence: Evidence = NO_EVIDENCE;
  #assessment: Assessment | null = null;
  #state: AgentState | null = null;
  readonly #hooks = new HookMemory();
  #again: Timer | null = null;
  #ended = false;

  constructor(options: AgentWatchOptions) {
    this.#options = options;
    this.#setBack = new SetBack(options.clock);
    this.#transcript = options.records.openTranscript();
    this.#screen = new AgentScreen(options.terminal, options.clock);
  }

  /** Null while no agent has been in the foreground. */
  get state(): AgentState | null {
    return this.#state;
  }

  get details(): AgentDetails {
    return agentDetails(this.#evidence, this.#state);
  }

  /** Its newest status line, also while it works; null without one. */
  statusLine(): StatusLine | null {
    return readStatusLine(this.#statusLineFile);
  }

  /** Takes `process` for the agent without other evidence; `statusLineFile` is written by it. */
  expect(process: ProcessIdentity, statusLineFile: string): void {
    const known = [this.#expected, this.#process].some((one) => one && isSameProcess(one, process));
    // It may end before a probe: what the last agent reported does not explain that.
    if (this.#process !== null && !known) this.#meet(process);
    this.#expected = process;
    this.#statusLineFile = statusLineFile;
  }

  /** A report of a hook in this terminal: it explains a state, and triggers a probe. */
  handleHook(event: HookEvent): void {
    this.#hooks.add(event, this.#now());
    this.#evidence = { ...this.#evidence, hooks: this.#hooks.facts };
    void this.probe();
    this.#probeAgain(DRAWN_MS, true);
  }

  /** With `snapshot` the screen is captured whether or not it seems to have changed. */
  async probe(snapshot = false): Promise<void> {
    return this.#probes.run('', async () => (this.#ended ? undefined : this.#probe(snapshot)));
  }

  /** The foreground program, from the process table and what is known of its conversation. */
  program(): ForegroundProgram | null {
    return this.#frontOf(this.#options.terminal.foreground());
  }

  /** A fresh probe, with everything that typing needs. */
  async foreground(): Promise<ProbedForeground> {
    await this.probe(true);
    const foreground = this.#options.terminal.foreground();
    const front = this.#frontOf(foreground);
    if (front === null) return { kind: 'gone' };
    const { program } = front;
    if (foreground.kind === 'shell') return { kind: 'shell', name: foreground.name, program };
    const name = foreground.kind === 'program' ? foreground.program.name : '';
    if (front.kind !== 'agent' || this.#state === null) return { kind: 'program', name, program };
    const prompt = promptOf(this.#evidence, this.#state, this.#options.clock.now());
    return { kind: 'agent', name, program, ...prompt };
  }

  /** A fresh probe, with what the agent itself has confirmed so far. */
  async receiver(): Promise<Receiver> {
    const front = await this.foreground();
    const { facts, prompts } = this.#hooks;
    const { record, transcript } = this.#evidence;
    const turnEndAtMs = transcript?.turnEndAtMs ?? null;
    const atMs = this.#options.clock.now();
    // While working too: a queued prompt changes nothing else.
    const written = this.#transcript.read(record?.sessionId ?? null, atMs)?.prompts ?? [];
    const hasHooks = facts !== null;
    const screen = this.#screen.text;
    return { atMs, front, prompts, hasHooks, record, written, turnEndAtMs, screen };
  }

  end(): void {
    this.#ended = true;
    this.#again?.cancel();
  }

  async #probe(wantsSnapshot: boolean): Promise<void> {
    const { terminal, records, probed } = this.#options;
    const nowMs = this.#now();
    const past = new Past(nowMs, this.#setBack.atMs);
    const foreground = terminal.foreground();
    const program = foreground.kind === 'program' && !foreground.forked ? foreground.program : null;
    if (program !== null && this.#isAgent(program)) {
      if (this.#process === null || !isSameProcess(this.#process, program)) this.#meet(program);
      const record = past.record(records.read(program));
      const changed = record?.changedAtMs !== this.#evidence.record?.changedAtMs;
      this.#evidence = { ...this.#evidence, front: 'agent', record };
      // While it works, its transcript adds nothing to the record.
      if (record?.status !== 'busy') {
        const transcript = past.transcript(this.#transcript.read(record?.sessionId ?? null, nowMs));
        this.#evidence = { ...this.#evidence, transcript, statusLine: this.statusLine() };
      }
      await this.#readScreen(program, wantsSnapshot || changed);
      if (changed) this.#probeAgain(DRAWN_MS, true);
    } else if (this.#process !== null) {
      const front =
        foreground.kind === 'program' ? 'other' : foreground.kind === 'shell' ? 'shell' : 'gone';
      this.#evidence = { ...this.#evidence, front, record: null, screen: null };
    } else return;
    // The session ended during the probe; its name may belong to another one by now.
    if (this.#ended) return;
    this.#judge(this.#now());
    if (program !== null && this.#evidence.front === 'agent') {
      const conversation = this.#evidence.record?.sessionId ?? this.#hooks.conversation;
      probed?.({ process: program, conversation, statusLine: this.#evidence.statusLine });
    }
  }

  /** The wall time. After the clock was set back, existing evidence keeps its age. */
  #now(): number {
    const nowMs = this.#options.clock.now();
    const byMs = this.#setBack.takeMs();
    if (byMs === 0) return nowMs;
    this.#screen.forget();
    this.#hooks.setBack(byMs);
    this.#evidence = setBackEvidence(this.#evidence, byMs);
    this.#assessment = setBackAssessment(this.#assessment, byMs);
    this.#state = this.#assessment && toAgentState(this.#assessment, this.#careful());
    return nowMs;
  }

  #frontOf(foreground: Foreground): ForegroundProgram | null {
    const isAgent = foreground.kind === 'program' && this.#isAgent(foreground.program);
    if (!isAgent) return foregroundProgram(foreground, null);
    const isKnown = this.#process !== null && isSameProcess(this.#process, foreground.program);
    const named = this.#evidence.record?.sessionId ?? this.#hooks.conversation;
    return foregroundProgram(foreground, { conversation: isKnown ? named : null });
  }

  /** Another agent than before: discards everything known. */
  #meet(process: ProcessIdentity): void {
    this.#process = process;
    this.#hooks.forget();
    this.#evidence = NO_EVIDENCE;
    this.#assessment = null;
    this.#screen.forget();
  }

  #isAgent(program: ProcessState): boolean {
    const expected = this.#expected !== null && isSameProcess(this.#expected, program);
    return expected || this.#options.records.isAgent(program);
  }

  async #readScreen({ name }: ProcessState, isWanted: boolean): Promise<void> {
    const state = this.#state?.state ?? 'starting';
    const hasRecord = this.#evidence.record !== null;
    const screen = await this.#screen.read({ program: name, state, hasRecord, isWanted });
    if (screen !== null) this.#evidence = { ...this.#evidence, screen };
  }

  #judge(nowMs: number): void {
    const before = this.#assessment;
    const after = assess(this.#evidence, before, nowMs);
    this.#assessment = after;
    const undecidedSinceMs = after.conflictSinceMs ?? after.doubtSinceMs;
    if (undecidedSinceMs !== null) {
      const leftMs = undecidedSinceMs + CONFLICT_PROBE_MS - nowMs;
      // Probes before that time must not postpone it.
      if (leftMs > 0) this.#probeAgain(Math.min(leftMs, CONFLICT_PROBE_MS), true);
    } else if (after.state === 'waiting' && after.detail === null) this.#probeAgain(DRAWN_MS, true);
    const was = this.#state;
    const now = nextAgentState(was, before, after, this.#careful());
    this.#state = now;
    const isSame = before !== null && !isWorthAnEvent(before, after);
    if (was === null || !isSame || was.careful?.cause !== now.careful?.cause)
      this.#options.changed(now);
  }

  #careful(): Careful | null {
    return carefulOf(this.#evidence, this.#assessment, this.#options.careful);
  }

  #probeAgain(delayMs: number, snapshot: boolean): void {
    this.#again?.cancel();
    if (this.#ended) return;
    this.#again = this.#options.clock.after(delayMs, () => {
      // What cannot be probed now is probed in the next round.
      this.probe(snapshot).catch(() => undefined);
    });
  }
}
