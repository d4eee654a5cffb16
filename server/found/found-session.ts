/** One session of Claude Code that Loopwatch did not start: what its witnesses say, and the state they add up to. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type {
  FoundFacts,
  FoundScreen,
  FoundSession as Wire,
} from '../../shared/schema/agents/found.ts';
import { assess } from '../agents/reading/assess.ts';
import {
  type Assessment,
  isWorthAnEvent,
  NO_EVIDENCE,
  toAgentState,
} from '../agents/reading/evidence.ts';
import type { StatusRecord } from '../agents/records/status-record.ts';
import type { TranscriptFiles } from '../agents/records/transcript-files.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { ProcessIdentity } from '../lib/processes/process-identity.ts';
import { BoundedQuestion } from '../lib/within.ts';
import { type Origin, placeOf } from './origin.ts';
import type { ListedSession } from './listed-session.ts';
import { PaneScreen, type PaneSurroundings } from './pane-screen.ts';
import { type Project, readProject } from './read-project.ts';
import { TranscriptView } from './transcript-view.ts';

/** A client ends its transcript a moment after it says that it is idle. */
const SETTLE_MS = 10_000;
/** While it works: between two readings of its transcript, and between two events about that. */
const ACTIVE_EVERY_MS = 60_000;
/** A directory on a network that hangs. */
const PROJECT_MS = 1_000;

export class FoundSession implements ListedSession {
  readonly client = 'claude';
  readonly id: string;
  readonly identity: ProcessIdentity;
  readonly path: string;
  readonly #origin: Origin;
  readonly #seenAtMs: number;
  readonly #transcript: TranscriptView;
  readonly #clock: Clock;
  readonly #pane: PaneScreen;
  readonly #repository: BoundedQuestion<Project>;
  #record: StatusRecord;
  #project: Project | null = null;
  #activeAtMs: number | null = null;
  #lookedAtMs: number;
  #assessment: Assessment;

  /** `path`: of its record. */
  constructor(
    { path, record, origin }: { path: string; record: StatusRecord; origin: Origin },
    files: TranscriptFiles,
    surroundings: PaneSurroundings,
  ) {
    const { clock } = surroundings;
    this.#pane = new PaneScreen(origin, surroundings);
    this.id = foundId(record.identity);
    this.identity = record.identity;
    this.path = path;
    this.#origin = origin;
    this.#record = record;
    this.#seenAtMs = clock.now();
    this.#lookedAtMs = this.#seenAtMs;
    this.#clock = clock;
    this.#transcript = new TranscriptView(files);
    this.#assessment = this.#assess(null);
    this.#repository = new BoundedQuestion(clock, PROJECT_MS, async () => readProject(this.cwd));
  }

  get cwd(): string {
    return this.#record.cwd ?? '/';
  }

  get conversation(): string | null {
    return this.#record.reading.sessionId;
  }

  /** Of its client. */
  get version(): string | null {
    return this.#record.reading.version;
  }

  /** Its id among the client's background sessions. */
  get job(): string | null {
    return this.#record.kind === 'bg' ? this.#record.jobId : null;
  }

  get startedAtMs(): number {
    return Math.min(this.#record.startedAtMs ?? this.#seenAtMs, this.#seenAtMs);
  }

  /** It works, or something it started does: what it says of itself changes without its record. */
  get isAtWork(): boolean {
    return this.#record.reading.status !== 'idle';
  }

  /** True when what it publishes may have changed although its record did not. */
  isDue(nowMs: number): boolean {
    const { untilMs } = this.#assessment;
    const isOver = untilMs !== null && untilMs <= nowMs;
    if (isOver || nowMs - this.#record.reading.changedAtMs < SETTLE_MS) return true;
    return this.isAtWork && nowMs - this.#lookedAtMs >= ACTIVE_EVERY_MS;
  }

  /** Reads transcript and branch, and assesses again, in one step with a newer record. */
  async look(record: StatusRecord | null): Promise<void> {
    this.#lookedAtMs = this.#clock.now();
    this.#project = (await this.#repository.ask())?.answer ?? this.#project;
    if (record !== null) this.#record = record;
    this.#assessment = this.#assess(this.#assessment);
  }

  /** A step of its own list is open. */
  get hasWorkLeft(): boolean {
    return (this.#transcript.view?.todo ?? null) !== null;
  }

  get state(): AgentState {
    return toAgentState(this.#assessment);
  }

  async screen(): Promise<FoundScreen> {
    return this.#pane.read();
  }

  /** What is published of it now. */
  facts(): FoundFacts {
    return {
      found: this.id,
      client: this.client,
      conversation: this.conversation,
      cwd: this.cwd,
      project: this.#project?.root ?? this.cwd,
      branch: this.#project?.branch ?? null,
      place: placeOf(this.#origin, this.#record),
      active_at: this.#activeAtMs === null ? null : toIso(this.#activeAtMs),
      agent: { ...this.state, detail: null },
    };
  }

  view(): Omit<Wire, 'usage'> {
    const { found, ...facts } = this.facts();
    const { tty, tmux, editor } = this.#origin;
    return {
      id: found,
      pid: this.identity.pid,
      ...facts,
      name: this.#record.name,
      version: this.version,
      tty,
      tmux,
      job: this.job,
      editor,
      agent: this.state,
      started_at: toIso(this.startedAtMs),
      transcript: this.#transcript.view,
    };
  }

  #assess(before: Assessment | null): Assessment {
    const nowMs = this.#clock.now();
    const hasGrown = this.#transcript.read(this.conversation, nowMs);
    if (hasGrown && this.isAtWork) this.#activeAtMs = nowMs;
    const { facts } = this.#transcript;
    const evidence = { ...NO_EVIDENCE, record: this.#record.reading, transcript: facts };
    return assess(evidence, before, nowMs);
  }
}

/** On Linux the start is a number of ticks, elsewhere a date. */
export function foundId({ pid, startedAt }: ProcessIdentity): string {
  return `${pid}-${startedAt.replaceAll(/\W+/g, '-')}`;
}

/** Whether what was published last is no longer true enough. */
export function isNews(before: FoundFacts, after: FoundFacts): boolean {
  const { agent: was, active_at: activeBefore, ...factsBefore } = before;
  const { agent: is, active_at: activeAfter, ...factsAfter } = after;
  if (!isDeepStrictEqual(factsBefore, factsAfter)) return true;
  if (isWorthAnEvent(timed(was), timed(is))) return true;
  if (activeAfter === null) return false;
  return Date.parse(activeAfter) - Date.parse(activeBefore ?? was.since) >= ACTIVE_EVERY_MS;
}

function timed(agent: AgentState): Pick<Assessment, 'state' | 'cause' | 'untilMs'> {
  const untilMs = agent.until === null ? null : Date.parse(agent.until);
  return { state: agent.state, cause: agent.cause, untilMs };
}
