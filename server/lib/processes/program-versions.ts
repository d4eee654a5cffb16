/** Where programs are, and what they answer to `--version`. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { execFile } from './exec-file.ts';

/** A native client answers within 0.2 s; one that hangs must not delay a start for long. */
const TIMEOUT_MS = 5_000;
/** A version is one short line; other output does not matter. */
const MAX_ANSWER = 200;

/** Runs each file once, and again after it was replaced. */
export class ProgramVersions {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #asked = new Map<string, { mark: string; answer: Promise<string | null> }>();

  /** `environment` is that of the terminals: its PATH decides which file a name means. */
  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** The first line of its answer, or null when it has none. */
  async of(program: string): Promise<string | null> {
    const file = findProgram(program, this.#environment['PATH'] ?? '');
    const mark = file === null ? null : markOfProgram(file);
    if (file === null || mark === null) return null;
    const known = this.#asked.get(file);
    if (known?.mark === mark) return known.answer;
    const answer = this.#ask(file);
    this.#asked.set(file, { mark, answer });
    // A program that did not answer may answer next time.
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

/** The first file a shell would run for it. */
export function findProgram(program: string, path: string): string | null {
  const places = isAbsolute(program)
    ? [program]
    : path.split(delimiter).map((directory) => join(directory, program));
  return places.find(isExecutable) ?? null;
}

/** An update replaces the file, or the link to it: its path, time or size changes. */
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
