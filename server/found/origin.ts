/**
 * Where a process comes from: whether Loopwatch started it, and which terminal, tmux or editor it
 * runs in. Read once, from the process and its ancestors; Linux only.
 */
import { statSync } from 'node:fs';
import type { FoundPlace } from '../../shared/schema/agents/found.ts';
import type { Clock } from '../lib/clock.ts';
import { readStat } from '../lib/processes/process-identity.ts';
import type { Processes } from '../lib/processes/processes.ts';
import { within } from '../lib/within.ts';

export interface Origin {
  /** Below this daemon, or below a terminal or turn of any Loopwatch. */
  isOurs: boolean;
  tty: string | null;
  tmux: { socket: string; pane: string } | null;
  editor: string | null;
}

/** In the environment of all that Loopwatch starts. */
const MARKS = ['LOOPWATCH_TERMINAL_ID', 'LOOPWATCH_RUN', 'LOOPWATCH_TURN', 'LOOPWATCH_LOOP_CHECK'];
/** Longer lines of ancestors are cut: a process does not descend from itself. */
const MAX_ANCESTORS = 100;
/** Reading a process that hangs in the kernel may block. */
const READ_MS = 5_000;
const MAX_VALUE = 1_000;
/** Major number of the terminals that programs open. */
const PTS_MAJORS = [136, 143] as const;

/** Null when it cannot be read in time. */
export async function readOrigin(
  pid: number,
  { processes, clock }: { processes: Pick<Processes, 'environment'>; clock: Clock },
): Promise<Origin | null> {
  const line = ancestors(pid);
  const read = Promise.all(line.map(async (each) => processes.environment(each)));
  const environments = (await within(clock, READ_MS, read))?.answer;
  if (environments === undefined) return null;
  const isMarked = environments.some((text) => MARKS.some((name) => text.includes(`\0${name}=`)));
  const own = environments[0] ?? '';
  const [socket = ''] = (valueOf(own, 'TMUX') ?? '').split(',');
  const pane = valueOf(own, 'TMUX_PANE');
  return {
    isOurs: isMarked || line.includes(process.pid),
    tty: ttyOf(pid),
    tmux: socket === '' || pane === null ? null : { socket, pane },
    editor: editorOf(own),
  };
}

/** `kind` and `entrypoint` are those of its record. */
export function placeOf(
  { tmux, tty, editor }: Origin,
  { kind, entrypoint }: { kind: string | null; entrypoint: string | null },
): FoundPlace {
  if (kind === 'bg') return 'background';
  if (entrypoint?.startsWith('sdk-') === true) return 'print';
  if (editor !== null || entrypoint === 'claude-vscode') return 'editor';
  if (tmux !== null) return 'tmux';
  return tty === null ? 'unknown' : 'terminal';
}

/** Is the process one of this user? Another user's may have taken a pid of an old record. */
export function isOfUser(pid: number): boolean {
  try {
    return process.getuid === undefined || statSync(`/proc/${pid}`).uid === process.getuid();
  } catch {
    return false;
  }
}

/** The process itself first. */
export function ancestors(pid: number): number[] {
  const line: number[] = [];
  for (let each = pid; each > 1 && line.length < MAX_ANCESTORS; each = fieldOf(each, 1)) {
    line.push(each);
  }
  return line;
}

function ttyOf(pid: number): string | null {
  const device = fieldOf(pid, 4);
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  const [first, last] = PTS_MAJORS;
  return major < first || major > last ? null : `pts/${(major - first) * 256 + minor}`;
}

/** A field of /proc/PID/stat, counted from the one after the name; 0 when there is none. */
function fieldOf(pid: number, index: number): number {
  const stat = readStat(pid) ?? '';
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[index] ?? 0);
}

function editorOf(environment: string): string | null {
  if (valueOf(environment, 'TERM_PROGRAM') === 'vscode') return 'vscode';
  if (valueOf(environment, 'TERMINAL_EMULATOR')?.startsWith('JetBrains') === true) {
    return 'jetbrains';
  }
  return valueOf(environment, 'ZED_TERM') === null ? null : 'zed';
}

function valueOf(environment: string, name: string): string | null {
  const sign = `\0${name}=`;
  const at = environment.indexOf(sign);
  if (at === -1) return null;
  const from = at + sign.length;
  return environment.slice(from, environment.indexOf('\0', from)).slice(0, MAX_VALUE);
}
