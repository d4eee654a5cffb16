/** The agent programs: what to type to start a loop in them, and what one is seen to be doing. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { PreflightCheck } from '../../shared/model.ts';
import { AppError } from '../lib/app-error.ts';
import { packageRoot } from '../lib/package-root.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import { readStatusRecord, type RecordedStatus, type RecordReading } from './status-record.ts';

export type AgentKind = 'claude' | 'stand-in';

/** Inert between double quotes of any common shell. */
const QUOTABLE = /^[\p{L}\p{N} _./@+,:=~%-]+$/u;

export class Agents {
  readonly #program: string;
  readonly #template: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** `template` holds `{claude}`, `{flags}` and `{taskDir}`; `environment` is the terminals' own. */
  constructor(options: { program: string; template: string; environment: NodeJS.ProcessEnv }) {
    this.#program = options.program;
    this.#template = options.template;
    this.#environment = options.environment;
  }

  /** Takes a task directory that is safe to type; gives the shell line that starts its loop. */
  shellLine(agent: AgentKind, taskDir: string): string {
    const program = agent === 'stand-in' ? standInProgram() : this.#program;
    // Flags belong to clients whose version is known to take them; none is known yet.
    return this.#template
      .replace('{flags} ', '')
      .replace('{claude}', () => program)
      .replace('{taskDir}', () => taskDir);
  }

  /** The prompt inside that line, for a client that is open already; null when there is none. */
  prompt(taskDir: string): string | null {
    const quoted = /"([^"]*\{taskDir\}[^"]*)"/.exec(this.#template)?.[1];
    return quoted?.replace('{taskDir}', () => taskDir) ?? null;
  }

  /** Takes a process; gives what its own record says it does, or null when it keeps none. */
  recordedStatus(process: ProcessIdentity): RecordedStatus | null {
    return this.record(process)?.status ?? null;
  }

  /** Takes a process; gives the record it keeps of itself, or null when there is none. */
  record(process: ProcessIdentity): RecordReading | null {
    return readStatusRecord(process, this.#environment);
  }

  /** Is the agent where a terminal's shell will look for it? */
  preflight(): PreflightCheck {
    const path = findProgram(this.#program, this.#environment['PATH'] ?? '');
    if (path !== null) return { name: 'agent', ok: true, detail: path, fix: null };
    return {
      name: 'agent',
      ok: false,
      detail: `The agent "${this.#program}" is not installed, or not on the PATH of the daemon.`,
      fix: 'npm install -g @anthropic-ai/claude-code, or name it in LOOPWATCH_CLAUDE; the demo needs none.',
    };
  }
}

function standInProgram(): string {
  const script = join(packageRoot(), 'dist/server/agents/stand-in/main.js');
  if (!QUOTABLE.test(script) || !QUOTABLE.test(process.execPath)) {
    throw new AppError('terminal_failed', `the path ${script} cannot be typed into a shell`);
  }
  return `"${process.execPath}" "${script}"`;
}

function findProgram(program: string, path: string): string | null {
  const places = isAbsolute(program)
    ? [program]
    : path.split(delimiter).map((directory) => join(directory, program));
  return places.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
