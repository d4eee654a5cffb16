/**
 * Starts the client of a turn behind a gate: its process exists and is known before the client runs
 * in it. The daemon may die at any moment: either nothing ran, or the turn continues.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { withUserUmask } from '../../lib/files/user-umask.ts';
import { type ProcessIdentity, readProcess } from '../../lib/processes/process-identity.ts';

/**
 * $1 the marker, $2 the input, then the client. A closed pipe ends it before the marker. `exec`
 * keeps pid and start time; the client must not inherit the marker's umask.
 */
const GATE = `read -r word || exit 75
[ "$word" = go ] || exit 75
(umask 077; : > "$1") || exit 75
input=$2
shift 2
exec "$@" < "$input"`;

export interface GatedTurn {
  program: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  /** Path of the marker. */
  started: string;
  /** Path of the client's input. */
  input: string;
  stdout: number;
  stderr: number;
}

export interface AtGate {
  child: ChildProcess;
  identity: ProcessIdentity;
  /** Lets the client run. */
  open(): void;
  /** The client never runs. */
  close(): void;
}

/**
 * Waits at the gate, in its own process group. Throws the system's error when it cannot be started.
 */
export function spawnTurn(turn: GatedTurn): AtGate {
  const words = ['-c', GATE, 'turn', turn.started, turn.input, turn.program, ...turn.args];
  const child = withUserUmask(() =>
    spawn('/bin/sh', words, {
      cwd: turn.cwd,
      env: turn.environment,
      detached: true,
      stdio: ['pipe', turn.stdout, turn.stderr],
    }),
  );
  // The missing pid or the exit reports it.
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  const close = () => void child.stdin?.destroy();
  const identity = identityOf(child, close);
  if (identity === null) {
    close();
    throw new Error(`cannot start a process in ${turn.cwd}`);
  }
  return {
    child,
    identity,
    open: () => void child.stdin?.end('go\n'),
    close,
  };
}

function identityOf(child: ChildProcess, close: () => void): ProcessIdentity | null {
  if (child.pid === undefined) return null;
  try {
    const state = readProcess(child.pid);
    return state === null ? null : { pid: state.pid, startedAt: state.startedAt };
  } catch (error) {
    close();
    throw error;
  }
}
