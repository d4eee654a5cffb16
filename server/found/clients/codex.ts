/**
 * Codex CLI, read from 0.169.0: a native program that keeps the rollout of each open conversation
 * open for writing. Since it has a server in the background, that server does, for all terminals.
 */
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../lib/app-error.ts';
import {
  placeBefore,
  readAppendedLines,
  type FilePosition,
} from '../../lib/files/appended-lines.ts';
import { markOf } from '../../lib/files/hostile-file.ts';
import { realDirectory } from '../../lib/files/real-directory.ts';
import { FileNotices } from './file-notices.ts';
import type { ClientProcess, OpenSession, OtherClient, StateReader } from './other-client.ts';
import { parseRolloutHead, parseRolloutLine, type RolloutHead } from './rollout-line.ts';
import { foldRollout, NO_TURN } from './rollout-turn.ts';

/** As installed by npm, and as released for a platform. */
const EXECUTABLE = /^codex(-[\w.-]{1,60})?$/;
const DAY = /^\/\d{4}\/\d\d\/\d\d$/;
const NAME = /^rollout-[\dT-]{19}-([0-9a-f-]{36})\.jsonl$/;
/** Of the first line, which holds the instructions; 22 KB without any of the user's. */
const MAX_HEAD = 256 * 1024;
/** Read at once; of more that was appended only the end is read. */
const MAX_BYTES = 128 * 1024;
/** Open files of one process; more are not read. */
const MAX_FILES = 4_096;
const WRITES = 0o200;
/** Of a process whose one rollout is still open at the same place, every so many calls. */
const SEARCH_EVERY = 6;

interface OpenRollout {
  link: string;
  path: string;
}

export class Codex implements OtherClient {
  readonly name = 'codex';
  /** By path; the first line of a rollout never changes. */
  #heads = new Map<string, RolloutHead>();
  /** By process. */
  #places = new Map<string, { rollouts: readonly OpenRollout[]; calls: number }>();
  readonly #homes: readonly string[];
  readonly #notices = new FileNotices();

  /** `environment`: of the terminals. */
  constructor(environment: NodeJS.ProcessEnv) {
    const usual = join(environment['HOME'] ?? homedir(), '.codex');
    this.#homes = [environment['CODEX_HOME'] ?? usual, usual];
  }

  mayBe(executable: string): boolean {
    return EXECUTABLE.test(executable);
  }

  isIts({ exe }: ClientProcess['program']): boolean {
    return EXECUTABLE.test(basename(exe));
  }

  open(processes: readonly ClientProcess[]): OpenSession[] {
    const heads = new Map<string, RolloutHead>();
    const keys = new Set(processes.map(keyOf));
    this.#places = new Map([...this.#places].filter(([key]) => keys.has(key)));
    const directories = this.#homes.flatMap((home) => realDirectory(join(home, 'sessions')) ?? []);
    const open = processes.flatMap((process) =>
      this.#rolloutsOf(process).flatMap((path) => {
        if (!directories.some((each) => isRolloutIn(each.path, path))) return [];
        // A second process that has it open shows no second session.
        if (heads.has(path)) return [];
        const head = this.#heads.get(path) ?? readHead(path);
        if (head === null) return [];
        heads.set(path, head);
        return head.isSubagent ? [] : [sessionOf(process, path, head)];
      }),
    );
    this.#heads = heads;
    this.#notices.keep(heads.keys());
    return open;
  }

  /** A terminal has one open at a time, the server in the background several. */
  #rolloutsOf(process: ClientProcess): string[] {
    const known = this.#places.get(keyOf(process));
    const [only, ...others] = known?.rollouts ?? [];
    const isAlone = only !== undefined && others.length === 0 && !isServer(process);
    const calls = (known?.calls ?? 0) + 1;
    const isSame = isAlone && calls < SEARCH_EVERY && targetOf(only.link) === only.path;
    const rollouts = isSame ? [only] : rolloutsOf(process.pid);
    this.#places.set(keyOf(process), { rollouts, calls: isSame ? calls : 0 });
    return [...new Set(rollouts.map(({ path }) => path))];
  }

  follow({ path, process }: OpenSession): StateReader {
    let mark: string | null = null;
    let place: FilePosition | null = null;
    let turn = NO_TURN;
    return (when) => {
      const isNoticed = this.#notices.take(path);
      if (when === 'on_notice' && !isNoticed) return turn.proven;
      const now = markOf(path);
      if (now === null || now === mark) return turn.proven;
      mark = now;
      const end = placeBefore(path, MAX_BYTES);
      const isNear =
        place?.identity === end?.identity && (place?.offset ?? 0) >= (end?.offset ?? 0);
      const read = readAppendedLines(path, isNear ? place : end, MAX_BYTES);
      // What was skipped may have been the beginning or the end of a turn.
      if (!isNear || read === null || read.place.isInside) turn = NO_TURN;
      place = read?.place ?? null;
      for (const line of read?.lines ?? []) {
        const fact = parseRolloutLine(line);
        if (fact !== null) turn = foldRollout(turn, fact, process.startMs);
      }
      return turn.proven;
    };
  }

  dispose(): void {
    this.#notices.dispose();
  }
}

function sessionOf(process: ClientProcess, path: string, head: RolloutHead): OpenSession {
  return {
    process,
    path,
    conversation: head.id,
    isOneOfSeveral: true,
    cwd: head.cwd,
    place: isServer(process) ? 'background' : head.isPrint ? 'print' : 'interactive',
    // One that is continued may have begun in an older version.
    version: head.atMs >= process.startMs ? head.version : null,
    sinceMs: Math.max(head.atMs, process.startMs),
  };
}

function keyOf({ pid, startedAt }: ClientProcess): string {
  return `${pid} ${startedAt}`;
}

function isServer({ program }: ClientProcess): boolean {
  return program.argv.includes('app-server');
}

/** Below the directory of a day in there. */
function isRolloutIn(sessions: string, path: string): boolean {
  return path.startsWith(`${sessions}/`) && DAY.test(dirname(path).slice(sessions.length));
}

/** The rollouts that a process has open for writing. Throws when out of files. */
function rolloutsOf(pid: number): OpenRollout[] {
  const directory = `/proc/${pid}/fd`;
  try {
    const links = readdirSync(directory).slice(0, MAX_FILES);
    return links.flatMap((name) => rolloutAt(`${directory}/${name}`) ?? []);
  } catch (error) {
    if (['EMFILE', 'ENFILE', 'ENOMEM'].includes(systemCode(error) ?? '')) throw error;
    return [];
  }
}

/** Null for another file, and for one that was closed in the meantime. */
function rolloutAt(link: string): OpenRollout | null {
  const path = targetOf(link);
  if (path === null || !NAME.test(basename(path))) return null;
  // The mode of the link is that of the open file: a list of old conversations only reads them.
  try {
    return (lstatSync(link).mode & WRITES) === 0 ? null : { link, path };
  } catch {
    return null;
  }
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** Null while it is not written, and when it does not speak of the conversation in its name. */
function readHead(path: string): RolloutHead | null {
  const first = readAppendedLines(path, null, MAX_HEAD)?.lines[0];
  const head = first === undefined ? null : parseRolloutHead(first);
  return head?.id === NAME.exec(basename(path))?.[1] ? head : null;
}
