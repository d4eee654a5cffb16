/** Runs the tmux client program, for one call or as a control client, on a session's own socket. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { withUserUmask } from '../lib/files/user-umask.ts';
import { execFile, type ExecResult } from '../lib/processes/exec-file.ts';
import type { ControlProcess } from './control-client.ts';
import { type TmuxCommand, toArguments } from './tmux-commands.ts';

const TMUX_TIMEOUT_MS = 5_000;
/** tmux drops output that waited this many seconds, instead of keeping all of it. */
const PAUSE_AFTER_SECONDS = 1;

export class TmuxProgram {
  readonly #socketDirectory: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(options: { socketDirectory: string; environment: NodeJS.ProcessEnv }) {
    this.#socketDirectory = options.socketDirectory;
    this.#environment = options.environment;
  }

  /** Never throws. */
  async call(
    name: string,
    commands: readonly TmuxCommand[],
    { mark = {}, ...more }: { cwd?: string; input?: string; mark?: NodeJS.ProcessEnv } = {},
  ): Promise<ExecResult> {
    const words = [...this.#server(name), ...toArguments(commands)];
    const env = { ...this.#environment, ...mark };
    // It may become the server, from which every shell of the session inherits.
    return withUserUmask(async () =>
      execFile('tmux', words, { env, timeoutMs: TMUX_TIMEOUT_MS, ...more }),
    );
  }

  /** On the command line of a session's server, which keeps that of its first client. */
  commandTextsOf(name: string): string[] {
    return [`\0-S\0${join(this.#socketDirectory, name)}\0`];
  }

  /** A control client that was just started. */
  control(name: string): ControlProcess {
    // It does not affect the size, and takes nothing of its environment into the session.
    const flags = `ignore-size,pause-after=${PAUSE_AFTER_SECONDS}`;
    const attach = ['-C', 'attach-session', '-E', '-f', flags, '-t', '=main'];
    return spawn('tmux', [...this.#server(name), ...attach], {
      env: this.#environment,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  }

  /** Without the user's settings; UTF-8 in any locale. */
  #server(name: string): string[] {
    return ['-u', '-S', join(this.#socketDirectory, name), '-f', '/dev/null'];
  }
}

/** Null when tmux cannot be run. */
export async function tmuxVersion(environment: NodeJS.ProcessEnv): Promise<string | null> {
  const answer = await execFile('tmux', ['-V'], { env: environment, timeoutMs: TMUX_TIMEOUT_MS });
  return answer.ok ? answer.stdout.trim() : null;
}
