/**
 * Everything that is observed of one session while respawn runs: its output, its agent, its hooks,
 * its directory. Reports; decides nothing. A quiet terminal costs one check in 5 s.
 */
import type { BudgetHold } from '../budgets/budgeted-work.ts';
import type { HookEvent } from '../agents/hooks/hook-event.ts';
import type { Timer } from '../lib/clock.ts';
import type { Display } from '../sessions/showing/displays.ts';
import type { DisplayViewer } from '../sessions/showing/display-stream.ts';
import type { Program } from '../sessions/typing/program.ts';
import { Polls } from '../lib/polls.ts';
import { NO_SIGNS, OutputReader } from './detection/output-reader.ts';
import { readStatusLine } from './detection/status-line.ts';
import type { UnstampedInput } from './machine/respawn-state.ts';
import type { RespawnOptions } from './respawn-options.ts';
import { SessionTree, type TreeCounts } from './session-tree.ts';

/** For what changes without a notification: the quota, a request that is over, the clock's row. */
const OBSERVE_MS = 5_000;
/** Output is read in batches, however fast it comes. */
const READ_MS = 250;
/** Git is not asked more often, however often the agent changes state. */
const COUNT_MS = 10_000;
/** A tap that failed is opened again after this. */
const REOPEN_MS = 5_000;
/** The client's tool that asks for the approval of a plan. */
const PLAN_TOOL = 'ExitPlanMode';

export interface RespawnWatchOptions extends RespawnOptions {
  session: string;
  notice: (input: UnstampedInput) => void;
  /** The quota gate lets this session try now. */
  mayTry: () => boolean;
  /** Why no prompt may be sent; null when a prompt may be sent. */
  budgetSpent: () => BudgetHold | null;
}

export class RespawnWatch {
  /** The agent that was in the foreground at the last observation; null without one. */
  program: Program | null = null;
  readonly #options: RespawnWatchOptions;
  readonly #polls: Polls;
  readonly #tree: SessionTree;
  #counts: TreeCounts | null = null;
  #countedAtMs = -Infinity;
  /** The agent did something since. */
  #mayHaveChanged = true;
  #reader = new OutputReader();
  #display: Display | null = null;
  #timer: Timer | null = null;
  /** The first redraw shows what was drawn before: only an open menu is still news. */
  #isFirst = true;
  #isClosed = false;

  constructor(options: RespawnWatchOptions) {
    const { session, sessions, git, clock } = options;
    this.#options = options;
    this.#polls = new Polls(clock);
    this.#tree = new SessionTree(sessions.get(session).cwd, git);
  }

  open(): void {
    this.#openDisplay();
    this.#polls.repeat(OBSERVE_MS, async () => this.observe());
    void this.observe();
  }

  /** Never rejects. `isNews`: the agent changed, so its directory may have. */
  async observe(isNews = false): Promise<void> {
    this.#mayHaveChanged ||= isNews;
    // Git may take longer than the wait before a cycle.
    this.observeAgent();
    if (this.#mayHaveChanged && (await this.#count()) && !this.#isClosed) this.observeAgent();
  }

  /** The agent first: the message that its turn ended with may forbid what the hook triggers. */
  heard(event: HookEvent): void {
    this.observeAgent();
    const hook = hookOf(event);
    if (hook !== null) this.#options.notice({ kind: 'hook', hook });
  }

  close(): void {
    this.#isClosed = true;
    this.#polls.cancel();
    this.#timer?.cancel();
    this.#display?.close();
  }

  /** Without git: what is known of the agent now. */
  observeAgent(): void {
    const { session, monitor, attention, attachments, notice, mayTry, budgetSpent } = this.#options;
    const front = monitor.program(session);
    this.program = front?.kind === 'agent' ? front.program : null;
    // Another program in the foreground is seen here before the next probe of the agent.
    const isThere = this.program !== null;
    const details = isThere ? monitor.details(session) : null;
    notice({
      kind: 'agent',
      agent: isThere ? monitor.agent(session) : null,
      background: details?.background ?? { subagents: 0, shells: 0, teammates: 0 },
      contextPercent: details?.contextPercent ?? null,
      tree: this.#counts,
      keys: attachments.controllerOf(session),
      mayTry: mayTry(),
      budget: budgetSpent(),
      planRequest: attention.requestOf(session, PLAN_TOOL),
      reported: details?.lastMessage ? readStatusLine(details.lastMessage) : null,
    });
  }

  /** False when it was counted a moment ago. */
  async #count(): Promise<boolean> {
    const { clock } = this.#options;
    if (clock.monotonic() - this.#countedAtMs < COUNT_MS) return false;
    this.#mayHaveChanged = false;
    this.#countedAtMs = clock.monotonic();
    this.#counts = await this.#tree.count();
    return true;
  }

  #openDisplay(): void {
    if (this.#isClosed) return;
    this.#isFirst = true;
    this.#reader = new OutputReader();
    const viewer: DisplayViewer = {
      bufferedBytes: 0,
      size: () => undefined,
      bytes: (bytes) => this.#push(bytes),
      ended: () => this.#ended(),
    };
    this.#display = this.#options.displays.open(this.#options.session, viewer);
  }

  #ended(): void {
    this.#display = null;
    if (this.#isClosed) return;
    // A session that has ended closes this watch before that.
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(REOPEN_MS, () => {
      this.#timer = null;
      this.#openDisplay();
    });
  }

  #push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
    this.#timer ??= this.#options.clock.after(READ_MS, () => this.#read());
  }

  #read(): void {
    this.#timer = null;
    if (this.#isClosed) return;
    const signs = this.#reader.read();
    const isOld = this.#isFirst;
    this.#isFirst = false;
    this.#options.notice({
      kind: 'output',
      signs: isOld ? { ...NO_SIGNS, menu: signs.menu } : signs,
    });
  }
}

function hookOf(event: HookEvent): Extract<UnstampedInput, { kind: 'hook' }>['hook'] | null {
  switch (event.kind) {
    case 'stop':
      return event.backgroundTasks.length === 0 ? 'stop' : null;
    case 'prompt':
      return 'prompt';
    case 'permission_request':
      return event.questions.length > 0 ? 'asked' : null;
    case 'notification':
      if (event.type === 'idle_prompt') return 'idle';
      return event.type === 'elicitation_dialog' ? 'asked' : null;
    default:
      return null;
  }
}
