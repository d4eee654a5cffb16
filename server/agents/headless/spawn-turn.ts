/**
 * Starts the client of a turn behind a gate: its process is there and known before the client runs
 * in it. Whoever starts it may die at any moment; then nothing has run, or all of it goes on.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type ProcessIdentity, readProcess } from '../../lib/process-identity.ts';

/**
 * $1 the marker, $2 the input, then the client. A closed pipe ends it before the marker. `exec` keeps
 * pid and start time; the marker's mode must not become the client's.
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
  /** Path of what the client reads. */
  input: string;
  stdout: number;
  stderr: number;
}

export interface AtGate {
  child: ChildProcess;
  identity: ProcessIdentity;
  /** Lets the client run. */
  open(): void;
  /** Nothing runs, ever. */
  close(): void;
}

/**
 * Takes what is to run; gives it waiting at the gate, in a process group of its own. Throws the
 * system's error when it cannot be started at all.
 */
export function spawnTurn(turn: GatedTurn): AtGate {
  const child = spawn(
    '/bin/sh',
    ['-c', GATE, 'turn', turn.started, turn.input, turn.program, ...turn.args],
    {
      cwd: turn.cwd,
      env: turn.environment,
      detached: true,
      stdio: ['pipe', turn.stdout, turn.stderr],
    },
  );
  // What it tells is told by the missing pid, or by the exit.
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
