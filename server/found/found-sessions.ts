/**
 * Every live session that this user runs without Loopwatch. Follows the records of Claude Code by
 * notices of the system, with a slow scan behind them that also searches for other clients. Only reads.
 */
import type { FoundEnd } from '../../shared/schema/agents/found.ts';
import { configDirectories } from '../agents/records/config-directories.ts';
import { readRecordFile, type StatusRecord } from '../agents/records/status-record.ts';
import { TranscriptFiles } from '../agents/records/transcript-files.ts';
import { markOf } from '../lib/files/hostile-file.ts';
import { Polls } from '../lib/polls.ts';
import { isAlive, isSameProcess, isTaken, mayBeAlive } from '../lib/processes/process-identity.ts';
import type { ListedProcess } from '../lib/processes/processes.ts';
import { Serial } from '../lib/serial.ts';
import { sharedNext } from '../lib/shared-next.ts';
import type { FoundOptions } from './found-options.ts';
import { FoundSession, foundId } from './found-session.ts';
import { isSession, thisPidDomain } from './is-session.ts';
import type { ListedSession } from './listed-session.ts';
import { isOfUser } from './origin.ts';
import { Origins } from './origins.ts';
import { OtherSessions } from './other-sessions.ts';
import { Published } from './published.ts';
import { pidOf, RecordFiles } from './record-files.ts';
import { ScanPace } from './scan-pace.ts';

/** Between two readings for those who ask. */
const REFRESH_MS = 1_000;

export class FoundSessions {
  readonly #options: FoundOptions;
  readonly #directories: readonly RecordFiles[];
  readonly #transcripts: TranscriptFiles;
  readonly #published: Published;
  readonly #domain = thisPidDomain();
  readonly #serial = new Serial();
  readonly #sessions = new Map<number, FoundSession>();
  readonly #origins: Origins;
  readonly #others: OtherSessions;
  /** Of each record as it was last read. */
  #marks = new Map<string, string>();
  readonly #polls: Polls;
  readonly #pace = new ScanPace();
  #listed: readonly ListedProcess[] = [];
  #refreshedAtMs = -Infinity;
  #isStarted = false;
  #disposed = false;

  constructor(options: FoundOptions) {
    this.#options = options;
    this.#polls = new Polls(options.clock);
    this.#directories = configDirectories(options.environment).map((path) => new RecordFiles(path));
    this.#transcripts = new TranscriptFiles(options.environment);
    this.#published = new Published(options);
    this.#origins = new Origins(options);
    this.#others = new OtherSessions(options, {
      looked: (session) => this.#published.publish(session),
      ended: ({ id }, how) => this.#publishEnd(id, how),
    });
  }

  /** Resolves when every session that runs now is known. */
  async start(): Promise<void> {
    this.#published.recover();
    this.#watch();
    await this.scan();
    this.#isStarted = true;
    this.#publishEnds();
    this.#polls.repeat(this.#options.pollMs, async () => this.#poll());
  }

  /** The longest running first. */
  list(): ListedSession[] {
    const all = [...this.#sessions.values(), ...this.#others.list()];
    return all.sort((a, b) => a.startedAtMs - b.startedAtMs);
  }

  /** Null when it is not live. */
  get(id: string): ListedSession | null {
    const session = this.#sessions.get(Number.parseInt(id, 10));
    return session?.id === id ? session : this.#others.get(id);
  }

  /** Reads the transcripts of those that work; often asked, it reads once a second. */
  async refresh(): Promise<void> {
    const now = this.#options.clock.monotonic();
    if (now - this.#refreshedAtMs < REFRESH_MS) return;
    this.#refreshedAtMs = now;
    this.#others.poll();
    const atWork = [...this.#sessions.values()].filter((each) => each.isAtWork);
    await Promise.all(atWork.map(async (each) => this.#look(each)));
  }

  /** What is ignored has changed: those in such a directory leave the list now, others come with a scan. */
  async applyIgnored(): Promise<void> {
    for (const session of [...this.#sessions.values()])
      if (this.#options.isIgnored(session.cwd)) this.#end(session, 'ignored');
    this.#others.applyIgnored();
    this.#marks.clear();
    await this.scan();
  }

  /** Checks every record and every process, and searches for other clients. */
  async scan(): Promise<void> {
    this.#pace.checkAll();
    await this.#scan();
  }

  dispose(): void {
    this.#disposed = true;
    this.#others.dispose();
    this.#polls.cancel();
    for (const files of this.#directories) files.dispose();
  }

  async #poll(): Promise<void> {
    const nowMs = this.#options.clock.now();
    for (const session of [...this.#sessions.values()]) {
      if (!isTaken(session.identity.pid)) this.#endDead(session);
      else if (session.isDue(nowMs)) await this.#look(session);
    }
    this.#others.poll();
    this.#publishEnds();
    if (this.#pace.poll(this.#watch())) await this.#scan();
  }

  /** True when a directory must be listed. */
  #watch(): boolean {
    const hint = (path: string) => void this.#read(path);
    return this.#directories.map((files) => files.watch(hint)).some(Boolean);
  }

  readonly #scan = sharedNext(async (): Promise<void> => {
    const known = [...this.#sessions.values()];
    const { processes, logger } = this.#options;
    const isFull = this.#pace.begin();
    const all = await processes.list(isFull ? [] : this.#listed).catch((err: unknown) => {
      logger.warn({ err }, 'cannot list the processes; what was known stays');
      return null;
    });
    this.#listed = all ?? [];
    const living = all && new Set(all.map(foundId));
    const lists = await Promise.all(this.#directories.map(async (files) => files.list()));
    const paths = new Set(lists.flat());
    this.#marks = new Map([...this.#marks].filter(([path]) => paths.has(path)));
    this.#origins.keep(paths);
    for (const session of known) {
      const isListed = this.#sessions.get(session.identity.pid) === session;
      // Another process may have its pid, and a zombie keeps it.
      if (isListed && living?.has(session.id) === false) this.#endDead(session);
      paths.add(session.path);
    }
    this.#publishEnds();
    const toRead = isFull ? [...paths] : [...paths].filter((path) => !this.#marks.has(path));
    const reading = toRead.map(async (path) => this.#read(path));
    await Promise.all([all && this.#others.scan(all), ...reading]);
  });

  /** Never rejects: hints and timers call it. */
  async #read(path: string): Promise<void> {
    await this.#serial.run(String(pidOf(path)), async () => {
      try {
        if (!this.#disposed) await this.#readNow(path);
      } catch (error) {
        // Out of files, or the disk is full: the next scan reads it again.
        this.#marks.delete(path);
        if (!this.#disposed)
          this.#options.logger.warn({ err: error, path }, 'cannot read a record');
      }
    });
  }

  async #readNow(path: string): Promise<void> {
    const pid = pidOf(path);
    const known = this.#sessions.get(pid) ?? null;
    // Another directory speaks of the same process.
    if (known !== null && known.path !== path && mayBeAlive(known.identity)) return;
    const mark = markOf(path);
    if (mark === null) {
      if (known !== null) this.#end(known, 'exited');
      return;
    }
    if (mark === this.#marks.get(path)) return;
    this.#marks.set(path, mark);
    const record = readRecordFile(path);
    // Half written, or no record at all: what was known before stays true.
    if (record === null) return;
    const isKnown = known !== null && isSameProcess(known.identity, record.identity);
    if (known !== null && !isKnown) this.#end(known, 'killed');
    const isIgnored = this.#options.isIgnored(record.cwd ?? '/');
    if (!isSession(record, pid, this.#domain) || isIgnored) {
      if (isKnown) this.#end(known, isIgnored ? 'ignored' : 'exited');
      return;
    }
    if (!isAlive(record.identity)) {
      this.#published.noteEnd(foundId(record.identity), 'killed');
      if (isKnown) this.#end(known, 'killed');
      return;
    }
    if (!isKnown) return this.#admit(path, record);
    await this.#look(known, record);
  }

  async #admit(path: string, record: StatusRecord): Promise<void> {
    const { identity } = record;
    if (!isOfUser(identity.pid)) return;
    const origin = await this.#origins.of(path, identity);
    if (origin === null) {
      this.#marks.delete(path);
      return;
    }
    if (origin.isOurs) return;
    const session = new FoundSession({ path, record, origin }, this.#transcripts, this.#options);
    await session.look(null);
    // It may have been chosen to be ignored in the meantime.
    if (this.#disposed || !isAlive(identity) || this.#options.isIgnored(session.cwd)) return;
    this.#sessions.set(identity.pid, session);
    this.#publish(session);
  }

  async #look(session: FoundSession, record: StatusRecord | null = null): Promise<void> {
    await session.look(record);
    const isKnown = this.#sessions.get(session.identity.pid) === session;
    if (!this.#disposed && isKnown) this.#publish(session);
  }

  #publish(session: FoundSession): void {
    // The next scan reads it again.
    if (!this.#published.publish(session)) this.#marks.delete(session.path);
  }

  /** Its process ended on its own: an orderly end removes the record first. */
  #endDead(session: FoundSession): void {
    this.#end(session, markOf(session.path) === null ? 'exited' : 'killed');
  }

  #end({ id, identity }: FoundSession, how: FoundEnd): void {
    this.#sessions.delete(identity.pid);
    this.#publishEnd(id, how);
  }

  #publishEnd(id: string, how: FoundEnd): void {
    this.#published.noteEnd(id, how);
    this.#publishEnds();
  }

  /** Of all that are not there any more; what cannot be stored is stored by the next poll. */
  #publishEnds(): void {
    if (this.#isStarted) this.#published.endOthers(this.list());
  }
}
