/** The project's own checks, run where the work is; exit codes decide. */
import { join } from 'node:path';
import { plainText } from '../../shared/rules/text/plain-text.ts';
import type { Clock } from '../lib/clock.ts';
import type { Marker } from '../lib/processes/marked-processes.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';
import { endText, runBounded } from '../lib/processes/run-bounded.ts';
import { projectMarkers } from '../projects/project-markers.ts';
import { hasNoTests, testCommands } from '../projects/project-type.ts';

/** In the module: one command a line, for `/bin/sh`; `#` begins a comment. */
export const COMMANDS_FILE = join('.test', 'commands');

const MAX_COMMANDS_BYTES = 64 * 1024;
/** Of each check: what an agent needs to see of a failure. */
const TAIL_LINES = 40;
const MAX_OUTPUT_BYTES = 32 * 1024;

export interface ProjectCheck {
  command: string;
  status: 'passed' | 'failed' | 'no_tests';
  exit_code: number | null;
  /** The end of what it wrote, and why it did not exit. */
  output: string;
  duration_ms: number;
}

export interface ChecksReport {
  /** `none`: nothing ran, so nothing is proven. */
  outcome: 'passed' | 'failed' | 'none';
  /** Where they ran. */
  directory: string;
  checks: ProjectCheck[];
}

export interface ChecksOptions {
  /** The project: the top of its working tree. */
  directory: string;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  /** Of each check. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Carried by everything they start, which ends with them. */
  marker?: Marker;
}

/** Those the module names itself. */
export function namedChecks(module: string): string[] {
  const file = readHostileFile(join(module, COMMANDS_FILE), MAX_COMMANDS_BYTES);
  const lines = file.kind === 'text' ? file.text.split(/\r?\n/).map((line) => line.trim()) : [];
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** Those the module names, else those the files at the root of the project stand for. */
export function findChecks(module: string, project: string): (string | string[])[] {
  const named = namedChecks(module);
  return named.length > 0 ? named : testCommands(projectMarkers(project));
}

/** Runs all of them, one after another, also after one that failed. */
export async function runChecks(
  commands: readonly (string | readonly string[])[],
  options: ChecksOptions,
): Promise<ChecksReport> {
  const checks: ProjectCheck[] = [];
  for (const command of commands) checks.push(await runCheck(command, options));
  const ran = checks.filter(({ status }) => status !== 'no_tests');
  const failed = ran.some(({ status }) => status === 'failed');
  const outcome = failed ? 'failed' : ran.length > 0 ? 'passed' : 'none';
  return { outcome, directory: options.directory, checks };
}

async function runCheck(
  command: string | readonly string[],
  options: ChecksOptions,
): Promise<ProjectCheck> {
  const run = await runBounded(command, { ...options, maxOutputBytes: MAX_OUTPUT_BYTES });
  const why = run.end === 'aborted' ? 'interrupted' : endText(run, options.timeoutMs);
  const lines = plainText(run.output.replaceAll(COLOUR, '').trimEnd()).split('\n');
  return {
    command: typeof command === 'string' ? command : command.join(' '),
    status:
      run.exit_code === 0 ? 'passed' : hasNoTests(command, run.exit_code) ? 'no_tests' : 'failed',
    exit_code: run.exit_code,
    output: [...lines.slice(-TAIL_LINES), why].filter((line) => line !== '').join('\n'),
    duration_ms: run.duration_ms,
  };
}

// eslint-disable-next-line no-control-regex -- it matches control bytes
const COLOUR = /\u001b\[[0-?]*[ -/]*[@-~]|\r(?=\n)/g;
