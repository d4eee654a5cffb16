/** One session of another client than Claude Code: where it runs, and what its own file proves. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentState } from '../../shared/schema/agents/agent-state.ts';
import type {
  FoundFacts,
  FoundScreen,
  FoundSession as Wire,
} from '../../shared/schema/agents/found.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { ProcessIdentity } from '../lib/processes/process-identity.ts';
import { BoundedQuestion } from '../lib/within.ts';
import type { OpenSession, OtherClient, ProvenState, StateReader } from './clients/other-client.ts';
import { foundId } from './found-session.ts';
import type { ListedSession } from './listed-session.ts';
import { type Origin, placeOf } from './origin.ts';
import { PaneScreen, type PaneSurroundings } from './pane-screen.ts';
import { type Project, readProject } from './read-project.ts';

/** A directory on a network that hangs. */
const PROJECT_MS = 1_000;
/** Between two readings of its branch. */
const PROJECT_EVERY_MS = 60_000;

export class OtherSession implements ListedSession {
  readonly id: string;
  readonly client: OtherClient['name'];
  readonly identity: ProcessIdentity;
  readonly job = null;
  readonly hasWorkLeft = false;
  readonly #client: OtherClient;
  readonly #origin: Origin;
  readonly #pane: PaneScreen;
  readonly #seenAtMs: number;
  readonly #clock: Clock;
  readonly #repository: BoundedQuestion<Project>;
  #open: OpenSession;
  #read: StateReader;
  #project: Project | null = null;
  #projectAtMs = -Infinity;
  #proven: ProvenState | null = null;

  constructor(
    { client, open, origin }: { client: OtherClient; open: OpenSession; origin: Origin },
    surroundings: PaneSurroundings,
  ) {
    const { clock } = surroundings;
    this.id = otherId(open);
    this.client = client.name;
    this.identity = { pid: open.process.pid, startedAt: open.process.startedAt };
    this.#client = client;
    // A server in the background has what the terminal gave it that it was started from.
    const nowhere = { tty: null, tmux: null, editor: null };
    this.#origin = open.place === 'background' ? { ...origin, ...nowhere } : origin;
    this.#pane = new PaneScreen(this.#origin, surroundings);
    this.#seenAtMs = clock.now();
    this.#clock = clock;
    this.#open = open;
    this.#read = client.follow(open);
    this.#repository = new BoundedQuestion(clock, PROJECT_MS, async () => readProject(this.cwd));
  }

  get cwd(): string {
    return this.#open.cwd;
  }

  get conversation(): string | null {
    return this.#open.conversation;
  }

  get version(): string | null {
    return this.#open.version;
  }

  get startedAtMs(): number {
    return Math.min(this.#open.sinceMs, this.#seenAtMs);
  }

  get isAtWork(): boolean {
    return this.#proven?.state === 'working';
  }

  get state(): AgentState {
    const { state, sinceMs } = this.#proven ?? { state: 'running', sinceMs: this.startedAtMs };
    const witness = this.#proven === null ? 'process' : 'transcript';
    return { state, cause: 'none', detail: null, witness, since: toIso(sinceMs), until: null };
  }

  /** As its process shows it now, with a branch that is at most a minute old. */
  async look(open: OpenSession): Promise<void> {
    if (open.path !== this.#open.path) this.#read = this.#client.follow(open);
    const hasMoved = open.cwd !== this.cwd;
    this.#open = open;
    const now = this.#clock.monotonic();
    if (hasMoved || now - this.#projectAtMs >= PROJECT_EVERY_MS) {
      this.#projectAtMs = now;
      this.#project = (await this.#repository.ask())?.answer ?? this.#project;
    }
    this.#proven = this.#read('always');
  }

  /** True when a file that the system noticed proves another state. */
  readFile(): boolean {
    const before = this.#proven;
    this.#proven = this.#read('on_notice');
    return !isDeepStrictEqual(before, this.#proven);
  }

  async screen(): Promise<FoundScreen> {
    return this.#pane.read();
  }

  facts(): FoundFacts {
    const { place } = this.#open;
    const nothing = { kind: null, entrypoint: null };
    return {
      found: this.id,
      client: this.client,
      conversation: this.conversation,
      cwd: this.cwd,
      project: this.#project?.root ?? this.cwd,
      branch: this.#project?.branch ?? null,
      place: place === 'interactive' ? placeOf(this.#origin, nothing) : place,
      active_at: null,
      agent: this.state,
    };
  }

  view(): Omit<Wire, 'usage'> {
    const { found: id, ...facts } = this.facts();
    const { tty, tmux, editor } = this.#origin;
    const { version, job, startedAtMs } = this;
    const started_at = toIso(startedAtMs);
    const { pid } = this.identity;
    const shown = { id, pid, ...facts, name: null, version, started_at, transcript: null };
    return { ...shown, tty, tmux, job, editor };
  }
}

/** Of a process that has several open each is a session. */
export function otherId({ process, conversation, isOneOfSeveral }: OpenSession): string {
  const id = foundId(process);
  return isOneOfSeveral && conversation !== null ? `${id}-${conversation}` : id;
}
