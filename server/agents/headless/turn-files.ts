/** The directory of one turn: what it reads, what it writes, and whether it ever ran. */
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
import { plainText } from '../../../shared/rules/plain-text.ts';

const STDOUT_FILE = 'stdout.ndjson';
const STDERR_FILE = 'stderr.txt';
const STARTED_FILE = 'started';
const INPUT_FILE = 'input.ndjson';
/** What an error quotes of standard error. */
const TAIL_BYTES = 2048;

export class TurnFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  get stdout(): string {
    return join(this.directory, STDOUT_FILE);
  }

  /** Made by the turn itself in the moment before the client runs. */
  get started(): string {
    return join(this.directory, STARTED_FILE);
  }

  /**
   * Makes the directory, for its owner alone; opens the two outputs for appending. The caller closes
   * them. `input` is the path of what the client reads. Throws the system's error, also when the
   * directory is there: it belongs to another turn.
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

  /** False is certain: then the client never ran. */
  hasStarted(): boolean {
    return existsSync(this.started);
  }

  /** Gives the end of standard error, safe to show; '' when there is none. */
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
