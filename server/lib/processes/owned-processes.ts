/**
 * Finds every process of one terminal or one supervised agent, wherever it moved: another group,
 * its own session, another parent, another directory, an emptied environment. Remembers what it
 * found, so that a process seen once is still known after it left its parent. Each search surveys
 * the whole machine, so search only to end something.
 */
import type { Clock } from '../clock.ts';
import type { Marker } from './marked-processes.ts';
import { isSameProcess, type ProcessIdentity } from './process-identity.ts';
import { type SurveyedProcess, surveyProcesses } from './process-survey.ts';
import type { ListedProcess, Processes } from './processes.ts';

export interface Ownership {
  /** With their descendants, process groups and POSIX sessions. */
  roots: readonly ProcessIdentity[];
  /** Processes with one of these in their environment. */
  marks: readonly Marker[];
  /**
   * Processes with one of these texts on their command line, whose arguments are separated by `\0`.
   */
  commandTexts: readonly string[];
  /**
   * Processes with this mark that lost their parent and are no older than `since`: what a program
   * in a terminal left behind, and not what ran there before it.
   */
  orphans?: { mark: Marker; since: ProcessIdentity };
}

export class OwnedProcesses {
  readonly #ownership: Ownership;
  readonly #processes: Processes;
  readonly #clock: Clock;
  readonly #known = new Map<number, ProcessIdentity>();

  constructor(ownership: Ownership, options: { processes: Processes; clock: Clock }) {
    this.#ownership = ownership;
    this.#processes = options.processes;
    this.#clock = options.clock;
    this.remember(ownership.roots);
  }

  /** Adds processes that were seen to belong here while their parents lived. */
  remember(identities: readonly ProcessIdentity[]): void {
    for (const identity of identities) this.#known.set(identity.pid, identity);
  }

  /** Found or remembered so far; some may have ended. */
  get known(): ProcessIdentity[] {
    return [...this.#known.values()];
  }

  /** Those alive now, without this process. Rejects when the system cannot list them. */
  async find(): Promise<ListedProcess[]> {
    const all = await surveyProcesses(this.#processes, this.#clock);
    const byPid = new Map(all.map((each) => [each.pid, each]));
    const owned = new Set<number>();
    for (const known of this.#known.values()) if (isListed(byPid, known)) owned.add(known.pid);
    this.#addMarked(all, byPid, owned);
    addFollowers(all, owned);
    const found = all.filter(({ pid }) => owned.has(pid));
    this.remember(found);
    return found;
  }

  #addMarked(
    all: readonly SurveyedProcess[],
    byPid: ReadonlyMap<number, ListedProcess>,
    owned: Set<number>,
  ): void {
    const { marks, commandTexts, orphans } = this.#ownership;
    const texts = marks.map(textOf);
    for (const each of all) {
      const isMarked = texts.some((text) => each.environment.includes(text));
      if (isMarked || commandTexts.some((text) => each.commandLine.includes(text)))
        owned.add(each.pid);
    }
    if (orphans === undefined) return;
    const ofTerminal = textOf(orphans.mark);
    const marked = new Set(
      all.filter(({ environment }) => environment.includes(ofTerminal)).map(({ pid }) => pid),
    );
    for (const pid of marked) {
      const top = topOf(pid, byPid, marked);
      const isYounger = Number(top?.startedAt) >= Number(orphans.since.startedAt);
      if (top !== null && isYounger) owned.add(pid);
    }
  }
}

function textOf({ name, value }: Marker): string {
  return `\0${name}=${value}\0`;
}

function isListed(byPid: ReadonlyMap<number, ListedProcess>, identity: ProcessIdentity): boolean {
  const listed = byPid.get(identity.pid);
  return listed !== undefined && isSameProcess(listed, identity);
}

/** The oldest ancestor in line that carries the mark. */
function topOf(
  pid: number,
  byPid: ReadonlyMap<number, ListedProcess>,
  marked: ReadonlySet<number>,
): ListedProcess | null {
  let top = byPid.get(pid) ?? null;
  while (top !== null && marked.has(top.parent)) top = byPid.get(top.parent) ?? null;
  return top;
}

/**
 * Adds children, and members of groups and sessions: a living leader keeps its pid from being
 * reused.
 */
function addFollowers(all: readonly ListedProcess[], owned: Set<number>): void {
  const followers = new Map<number, number[]>();
  for (const { pid, parent, group, session } of all) {
    for (const leader of new Set([parent, group, session])) {
      const known = followers.get(leader);
      if (known === undefined) followers.set(leader, [pid]);
      else known.push(pid);
    }
  }
  // The daemon may itself run in one of its terminals: spare it and its children.
  owned.delete(process.pid);
  const open = [...owned];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const follower of followers.get(pid) ?? []) {
      if (owned.has(follower) || follower === process.pid) continue;
      owned.add(follower);
      open.push(follower);
    }
  }
}
