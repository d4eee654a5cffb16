/** A test or a gate that the host runs itself, to verify results directly. */
import { tail } from '../../shared/rules/text/plain-text.ts';
import type { Clock } from '../lib/clock.ts';
import type { Marker } from '../lib/processes/marked-processes.ts';
import { endText, runBounded } from '../lib/processes/run-bounded.ts';

export interface HostCommandOptions {
  directory: string;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal;
  /** Carried by everything the command starts, which ends with it. */
  marker: Marker;
}

export interface HostCommandResult {
  /** By its exit code alone. `skipped`: it was ended before it had one. */
  status: 'passed' | 'failed' | 'skipped';
  exit_code: number | null;
  timed_out: boolean;
  /** The end of its output, at most 20,000 characters without control characters. */
  output: string;
  duration_ms: number;
}

const MAX_OUTPUT = 20_000;
/** Larger, because removed sequences, mostly colours, make the output shorter. */
const MAX_OUTPUT_BYTES = 8 * MAX_OUTPUT;

/**
 * Sequences that colour, move and name things: CSI, OSC and similar up to their end, and the short
 * ones.
 */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex -- control bytes are what it matches
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;
// eslint-disable-next-line no-control-regex -- the same
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A string is a line for `/bin/sh`. Never throws. */
export async function runHostCommand(
  command: readonly string[] | string,
  { timeoutMs, ...options }: HostCommandOptions,
): Promise<HostCommandResult> {
  const bounds = { timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES };
  const run = await runBounded(command, { ...options, ...bounds });
  const { exit_code, duration_ms } = run;
  const parts = [printableText(run.output).trimEnd(), endText(run, timeoutMs)];
  const output = parts.filter(Boolean).join('\n');
  return {
    status: run.end === 'aborted' ? 'skipped' : exit_code === 0 ? 'passed' : 'failed',
    timed_out: run.end === 'timed_out',
    output: tail(output, MAX_OUTPUT),
    exit_code,
    duration_ms,
  };
}

/** Keeps tab and newline. */
function printableText(text: string): string {
  return text.replaceAll(SEQUENCE, '').replaceAll('\r\n', '\n').replaceAll(CONTROL, '');
}
