/** The agent programs, and what to type to start a loop in them. */
import { join } from 'node:path';
import type { AgentKind } from '../../shared/schema/agents/agent-kind.ts';
import type { PreflightCheck } from '../../shared/schema/model.ts';
import { AppError } from '../lib/app-error.ts';
import { findProgram } from '../lib/processes/program-versions.ts';
import { packageRoot } from '../lib/package-root.ts';

/** Inert between double quotes in any common shell. */
const QUOTABLE = /^[\p{L}\p{N} _./@+,:=~%-]+$/u;

export class Agents {
  readonly #program: string;
  readonly #template: string;
  readonly #environment: NodeJS.ProcessEnv;

  /**
   * `template` holds `{claude}`, `{flags}` and `{taskDir}`; `environment` is that of the terminals.
   */
  constructor(options: { program: string; template: string; environment: NodeJS.ProcessEnv }) {
    this.#program = options.program;
    this.#template = options.template;
    this.#environment = options.environment;
  }

  /** False for a template of the user's own that leaves no place for flags. */
  get takesFlags(): boolean {
    return this.#template.includes('{flags}');
  }

  /**
   * The shell line that starts its loop. `taskDir` must be safe to type; `flags` are those its
   * client is known to accept, or empty.
   */
  shellLine(agent: AgentKind, taskDir: string, flags: string): string {
    const program = agent === 'stand-in' ? standInProgram() : this.#program;
    return this.#template
      .replace(/\{flags\}( ?)/, (_, blank: string) => (flags === '' ? '' : flags + blank))
      .replace('{claude}', () => program)
      .replaceAll('{taskDir}', () => taskDir);
  }

  /** The prompt inside that line, for a client that is already open; null when there is none. */
  prompt(taskDir: string): string | null {
    const quoted = /"([^"]*\{taskDir\}[^"]*)"/.exec(this.#template)?.[1];
    return quoted?.replace('{taskDir}', () => taskDir) ?? null;
  }

  /** The shell line that continues a conversation, whose id is safe to type. */
  resumeLine(conversation: string, flags: string): string {
    return [this.#program, flags, '--resume', conversation].filter(Boolean).join(' ');
  }

  /** The shell line that shows a background session, whose id is safe to type. */
  attachLine(job: string): string {
    return `${this.#program} attach ${job}`;
  }

  /** Is the agent where a terminal's shell will find it? */
  preflight(): PreflightCheck {
    const path = findProgram(this.#program, this.#environment['PATH'] ?? '');
    if (path !== null) return { name: 'agent', ok: true, detail: path, fix: null };
    return {
      name: 'agent',
      ok: false,
      detail: `The agent "${this.#program}" is not installed, or not on the PATH of the daemon.`,
      fix: 'npm install -g @anthropic-ai/claude-code, or set LOOPWATCH_CLAUDE to its path; the demo does not need it.',
    };
  }
}

/** True when it can be typed between double quotes into any common shell. */
export function isQuotable(path: string): boolean {
  return QUOTABLE.test(path);
}

function standInProgram(): string {
  const script = join(packageRoot(), 'dist/stand-in/main.js');
  if (!isQuotable(script) || !isQuotable(process.execPath)) {
    throw new AppError(
      'terminal_failed',
      `the path ${script} contains characters that cannot be typed into a shell; use another LOOPWATCH_HOME`,
    );
  }
  return `"${process.execPath}" "${script}"`;
}
