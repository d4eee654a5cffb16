/** The directory of one turn: its input, its output, and whether it ever ran. */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { plainText } from '../../../shared/rules/text/plain-text.ts';

const STDOUT_FILE = 'stdout.ndjson';
const STDERR_FILE = 'stderr.txt';
const STARTED_FILE = 'started';
const INPUT_FILE = 'input.ndjson';
/** How much of standard error is quoted in an error. */
const TAIL_BYTES = 2048;

export class TurnFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  get stdout(): string {
    return join(this.directory, STDOUT_FILE);
  }

  /** Created by the turn itself just before the client runs. */
  get started(): string {
    return join(this.directory, STARTED_FILE);
  }

  /**
   * Creates the directory, readable by its owner alone, and opens the two outputs for appending.
   * The caller closes them. `input` is the path of the client's input. Throws the system's error,
   * also when the directory exists: it belongs to another turn.
   */
  create(input: string | null): { stdout: number; stderr: number; input: string } {
    mkdirSync(dirname(this.directory), { recursive: true, mode: 0o700 });
    mkdirSync(this.directory, { mode: 0o700 });
    const inputPath = join(this.directory, INPUT_FILE);
    if (input !== null) writeFileSync(inputPath, input, { mode: 0o600, flag: 'wx' });
    const stdout = openSync(this.stdout, 'ax', 0o600);
    try {
      const stderr = openSync(join(this.directory, STDERR_FILE), 'ax', 0o600);
      return { stdout, stderr, input: input === null ? '/dev/null' : inputPath };
    } catch (error) {
      closeSync(stdout);
      throw error;
    }
  }

  /** For a turn that never ran. */
  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** False is certain: the client never ran. */
  hasStarted(): boolean {
    return existsSync(this.started);
  }

  /** The end of standard error, safe to show; '' when there is none. */
  stderrTail(): string {
    try {
      const file = openSync(join(this.directory, STDERR_FILE), 'r');
      try {
        const buffer = Buffer.alloc(TAIL_BYTES);
        const from = Math.max(0, fstatSync(file).size - TAIL_BYTES);
        const length = readSync(file, buffer, 0, TAIL_BYTES, from);
        return plainText(buffer.toString('utf8', 0, length).trim());
      } finally {
        closeSync(file);
      }
    } catch {
      return '';
    }
  }
}
