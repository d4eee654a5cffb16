/** Where programs are, and what they say to `--version`. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { execFile } from './exec-file.ts';

/** A native client answers within 0.2 s; one that hangs must not hold a start up for long. */
const TIMEOUT_MS = 5_000;
/** A version is one short line; what else a program prints is of no interest. */
const MAX_ANSWER = 200;

/** Each file is asked once, and again after it was replaced. */
export class ProgramVersions {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #asked = new Map<string, { mark: string; answer: Promise<string | null> }>();

  /** `environment` is the terminals' own: its PATH decides which file a name means. */
  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Takes a program; gives the first line it answers, or null when it cannot be asked. */
  async of(program: string): Promise<string | null> {
    const file = findProgram(program, this.#environment['PATH'] ?? '');
    const mark = file === null ? null : markOfProgram(file);
    if (file === null || mark === null) return null;
    const known = this.#asked.get(file);
    if (known?.mark === mark) return known.answer;
    const answer = this.#ask(file);
    this.#asked.set(file, { mark, answer });
    // A program that did not answer may do so the next time.
    if ((await answer) === null && this.#asked.get(file)?.answer === answer) {
      this.#asked.delete(file);
    }
    return answer;
  }

  async #ask(file: string): Promise<string | null> {
    const result = await execFile(file, ['--version'], {
      env: this.#environment,
      timeoutMs: TIMEOUT_MS,
    });
    if (!result.ok) return null;
    return (result.stdout.trim().split('\n')[0] ?? '').slice(0, MAX_ANSWER);
  }
}

/** Takes a program and a PATH; gives the first file a shell would run for it, or null. */
export function findProgram(program: string, path: string): string | null {
  const places = isAbsolute(program)
    ? [program]
    : path.split(delimiter).map((directory) => join(directory, program));
  return places.find(isExecutable) ?? null;
}

/** An update replaces the file, or the link to it: path, time and size tell. */
function markOfProgram(file: string): string | null {
  try {
    const path = realpathSync(file);
    const { mtimeMs, size } = statSync(path);
    return `${path}:${mtimeMs}:${size}`;
  } catch {
    return null;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
