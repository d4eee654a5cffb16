/**
 * Gemini CLI, read from 0.61.0: a script of Node.js that starts itself again with other options. It
 * appends to a chat in its own directory, which it does not keep open. What it does is not in there.
 */
import { realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { homedir } from 'node:os';
import { markOf } from '../../lib/files/hostile-file.ts';
import { chatsOf, type GeminiChat, newestChat } from './gemini-chat.ts';
import type {
  ClientProcess,
  OpenSession,
  OtherClient,
  Program,
  StateReader,
} from './other-client.ts';

const EXECUTABLE = /^(node|nodejs|bun)$/;
const SCRIPT = /\/@google\/gemini-cli\/(bundle|dist)\/[\w./-]{1,200}\.js$/;
/** One prompt without a person in front of it. */
const PRINT = ['-p', '--prompt'];

/** `mark`: of the directory when it was listed. */
interface KnownChat extends GeminiChat {
  directory: string;
  mark: string;
}

export class Gemini implements OtherClient {
  readonly name = 'gemini';
  /** Of each process, as long as no file is added to its directory. */
  #known = new Map<string, KnownChat>();
  readonly #base: string;

  /** `environment`: of the terminals. */
  constructor(environment: NodeJS.ProcessEnv) {
    const home = environment['GEMINI_CLI_HOME'] ?? environment['HOME'] ?? homedir();
    this.#base = join(home, '.gemini');
  }

  mayBe(executable: string): boolean {
    return EXECUTABLE.test(executable);
  }

  isIts({ exe, argv, cwd }: Program): boolean {
    const script = argv.slice(1).find((each) => !each.startsWith('-'));
    return EXECUTABLE.test(basename(exe)) && SCRIPT.test(realPath(resolve(cwd, script ?? '')));
  }

  open(processes: readonly ClientProcess[]): OpenSession[] {
    const parents = new Set(processes.map(({ parent }) => parent));
    // The one that started itself again only waits for the end of the other.
    const working = processes.filter(({ pid }) => !parents.has(pid));
    const perDirectory = new Map<string, number>();
    for (const { program } of working) {
      perDirectory.set(program.cwd, (perDirectory.get(program.cwd) ?? 0) + 1);
    }
    const known = new Map<string, KnownChat>();
    const sessions = working.flatMap((process) => {
      const key = `${process.pid} ${process.startedAt}`;
      const chat = this.#chatOf(process, this.#known.get(key));
      if (chat === null) return [];
      known.set(key, chat);
      const { argv, cwd } = process.program;
      const isPrint = argv.some((each) => PRINT.includes(each));
      const session: OpenSession = {
        process,
        path: chat.path,
        // Two in one directory: nothing says which of them writes which chat.
        conversation: perDirectory.get(cwd) === 1 ? chat.conversation : null,
        isOneOfSeveral: false,
        cwd,
        place: isPrint ? 'print' : 'interactive',
        version: null,
        sinceMs: process.startMs,
      };
      return [session];
    });
    this.#known = known;
    return sessions;
  }

  follow(): StateReader {
    return () => null;
  }

  dispose(): void {
    // Holds nothing.
  }

  /** Null without one. */
  #chatOf({ program, startMs }: ClientProcess, known: KnownChat | undefined): KnownChat | null {
    const { cwd } = program;
    if (known !== undefined && known.mark === markOf(known.directory)) return known;
    const directory = chatsOf(this.#base, cwd);
    const mark = directory === null ? null : markOf(directory);
    if (directory === null || mark === null) return null;
    const chat = newestChat(directory, cwd, startMs);
    return chat && { ...chat, directory, mark };
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}
