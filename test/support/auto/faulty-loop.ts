/**
 * One auto loop with everything of the daemon around it, on a clock that the test moves, with a
 * terminal and processes that the test breaks. Its agent ignores all signals but SIGKILL.
 */
import { SharedPlan } from '../../../server/usage/shared-plan.ts';
import { reserveOf } from '../runs/reserve-of.ts';
import { Budgets } from '../../../server/budgets/budgets.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { AgentRecords } from '../../../server/agents/records/agent-records.ts';
import { Agents } from '../../../server/agents/agents.ts';
import { openHookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';
import { QuotaGate } from '../../../server/supervision/quota-gate.ts';
import { LaunchFiles } from '../../../server/agents/launch/launch-files.ts';
import { TranscriptFiles } from '../../../server/agents/records/transcript-files.ts';
import { Attention } from '../../../server/attention/attention.ts';
import { AttentionStore } from '../../../server/attention/attention-store.ts';
import { AutoLoops } from '../../../server/auto/auto-loops.ts';
import { AutoStore } from '../../../server/auto/stores/auto-store.ts';
import { freshLoop } from '../../../server/auto/machine/fresh-loop.ts';
import type { LoopSettings } from '../../../server/auto/loop-settings.ts';
import type { LoopFacts, Now } from '../../../server/auto/machine/loop-state.ts';
import { toIso } from '../../../server/lib/clock.ts';
import { ProgramVersions } from '../../../server/lib/processes/program-versions.ts';
import { identityOf } from '../../../server/lib/files/real-directory.ts';
import { usageWorked } from '../../../server/db/usage-schema.ts';
import { MetaStore } from '../../../server/db/meta-store.ts';
import { ClientVersions } from '../../../server/sessions/watching/client-versions.ts';
import { AgentMonitor } from '../../../server/sessions/watching/agent-monitor.ts';
import { InputStore } from '../../../server/sessions/typing/input-store.ts';
import { Outbox } from '../../../server/sessions/typing/outbox.ts';
import { SessionStore } from '../../../server/sessions/session-store.ts';
import { Sessions } from '../../../server/sessions/sessions.ts';
import { EventHome } from '../events/event-home.ts';
import { AGENT, POLICY } from './loop-life.ts';
import { StubbornTerminal } from '../terminals/stubborn-terminal.ts';
import { Git } from '../../../server/worktrees/git/git.ts';
import { ProjectCheckouts } from '../../../server/worktrees/project-checkouts.ts';

const SETTINGS: LoopSettings = {
  usualPermissions: 'edit',
  signalProfile: 'core',
  recovery: 'safe',
  policy: {
    ...POLICY,
    stopGraceMs: 2_000,
    killGraceMs: 1_000,
    idleConfirmMs: 500,
    heartbeatMs: 1_000,
  },
  signalPollMs: 500,
  heartbeatMs: 1_000,
  startTimeoutMs: 5_000,
  checksAll: false,
};

/**
 * Two grace periods, a last one for a second witness, three signals, and the time limit of each
 * witness.
 */
const STOPPED_WITHIN_MS = 60_000;
const STEP_MS = 250;

export class FaultyLoop {
  readonly #home = new EventHome();
  readonly terminal: StubbornTerminal;
  readonly taskDir: string;
  readonly #parts;
  #change: Partial<LoopFacts> = {};
  loops: AutoLoops;
  /** Replaces the system's answer about the task directory. */
  readDirectory = async (path: string) => Promise.resolve(identityOf(path));

  constructor() {
    const { clock, path } = this.#home;
    this.terminal = new StubbornTerminal(clock);
    this.taskDir = join(path, 'task');
    mkdirSync(this.taskDir);
    this.#parts = this.#open();
    this.loops = this.#parts.loops;
  }

  get clock() {
    return this.#home.clock;
  }

  /** Where the client keeps its records and transcripts. */
  get clientHome(): string {
    return join(this.#home.path, 'claude');
  }

  /** Stores a loop and recovers it as a daemon does that has just started. */
  async begin(change: Partial<LoopFacts>, now: Now): Promise<void> {
    const { log, database, sessions } = this.#parts;
    const { clock } = this.#home;
    this.#change = change;
    const identity = identityOf(this.taskDir);
    const startedAt = toIso(clock.now());
    log.write((append) => {
      const session = { name: 'web', cwd: this.taskDir, terminal: 'tmux', status: 'open' } as const;
      const owned = { owner: null, created_at: startedAt, identity: this.terminal.identity };
      new SessionStore(database).insert({ ...session, ...owned });
      sessions.owners.claim(append, 'web', 'auto');
      const known = { sessionName: 'web', runId: 'run', taskDir: this.taskDir, startedAt };
      const state = freshLoop({ ...known, dirIdentity: identity, ...change }, now);
      new AutoStore(database).insert(state, clock.now());
    });
    void this.loops.recover();
    await this.settle();
  }

  /** Moves the clock until the loop has stopped or its time for that is over. */
  async runOut(): Promise<void> {
    for (let ms = 0; ms < STOPPED_WITHIN_MS && !this.isOver; ms += STEP_MS)
      await this.pass(STEP_MS);
  }

  /** Lets that much time pass, with everything that follows from it. */
  async pass(ms: number): Promise<void> {
    this.#home.clock.advance(ms);
    await this.settle();
  }

  /** Runs everything that waits for no time: promises, and answers of the system. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) await new Promise((next) => setImmediate(next));
  }

  /** Nothing is left to enforce. */
  get isOver(): boolean {
    return ['stopped', 'failed'].includes(this.status);
  }

  get status(): string {
    return this.loops.get('web').status;
  }

  /** The agent passed to `begin` no longer runs, or was never seen. */
  get agentIsGone(): boolean {
    return this.#change.agentProcess == null || !this.terminal.lives(AGENT.pid);
  }

  /** Minutes at work, as budgets count them. */
  workedMinutes(): number {
    const rows = this.#parts.database.query.select().from(usageWorked).all();
    return rows.reduce((sum, { workedMs }) => sum + workedMs, 0) / 60_000;
  }

  /** The open questions to a person. */
  asked(): string[] {
    const items = this.#parts.attention.list({ open: true, limit: 10 });
    return items.map(({ detail, title }) => detail ?? title);
  }

  /** Types and reasons of the loop's events. */
  events(): string[] {
    return this.#parts.log
      .read(0, 1_000)
      .filter(({ type }) => type.startsWith('auto.'))
      .map(({ type, json }) => {
        const { data } = JSON.parse(json) as { data: { step?: string; reason?: string } };
        return `${type.replace('auto.', '')} ${data.step ?? data.reason ?? ''}`.trim();
      });
  }

  [Symbol.dispose](): void {
    const { loops, monitor, outbox, launchFiles, sessions } = this.#parts;
    for (const part of [loops, monitor, outbox, launchFiles, sessions]) part.dispose();
    this.#home[Symbol.dispose]();
  }

  #open() {
    const { database, log } = this.#home.open();
    const { clock, path } = this.#home;
    const logger = pino({ enabled: false });
    const environment = { HOME: path, PATH: '', CLAUDE_CONFIG_DIR: this.clientHome };
    const shared = { log, clock, logger };
    const host = this.terminal.host;
    const store = new SessionStore(database);
    const sessions = new Sessions({ ...shared, store, host, roots: [path], sweepMs: 500 });
    const records = new AgentRecords({ program: 'claude', environment });
    const versions = new ClientVersions({
      ...shared,
      meta: new MetaStore(database),
      trust: 'tested',
    });
    const monitor = new AgentMonitor({ ...shared, sessions, records, versions, pollMs: 500 });
    const attention = new Attention({
      ...shared,
      store: new AttentionStore(database, () => null),
      probe: async (session) => monitor.probe(session),
      probeFound: async () => Promise.resolve(null),
    });
    const outbox = new Outbox({
      ...shared,
      store: new InputStore(database),
      place: sessions,
      witness: monitor,
      sinceTyped: () => null,
    });
    const program = 'claude';
    const launchFiles = new LaunchFiles({
      loop: 'moonview',
      home: path,
      program,
      clock,
      environment,
      versions: new ProgramVersions(environment),
      capabilities: openHookCapabilities(path),
    });
    const loops = new AutoLoops({
      ...shared,
      attachments: { requireFree: () => undefined },
      sessions,
      monitor,
      attention,
      outbox,
      launchFiles,
      transcripts: new TranscriptFiles(environment),
      agents: new Agents({ program, template: '{claude} "/auto {taskDir}"', environment }),
      quota: new QuotaGate(clock),
      budgets: new Budgets({
        database,
        log,
        clock,
        reserve: reserveOf({ database, log, clock }),
        shared: new SharedPlan(),
      }),
      readUsage: () => undefined,
      check: {
        checkouts: new ProjectCheckouts({
          git: new Git({ environment, fronts: join(path, 'git') }),
          clock,
          scratch: join(path, 'loop-checks'),
        }),
        environment,
        timeoutMs: 5_000,
      },
      settings: { claude: SETTINGS, 'stand-in': SETTINGS },
      store: new AutoStore(database),
      roots: [path],
      processes: this.terminal.processes,
      readDirectory: async (directory) => this.readDirectory(directory),
    });
    return { log, database, sessions, monitor, attention, outbox, launchFiles, loops };
  }
}
