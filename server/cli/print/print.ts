/**
 * Everything the command line writes. When the reader of standard output is gone the command ends
 * quietly; messages on standard error are dropped instead, so that a lost message changes no result.
 */
import { isStorageCode } from '../../lib/files/storage-error.ts';
import { messageOf, systemCode } from '../../lib/app-error.ts';
import { ExitCode } from '../exit-code.ts';

/** Each of them with a newline at its end; an empty list prints nothing. */
export function print(lines: string | readonly string[]): void {
  printRaw(
    [lines]
      .flat()
      .map((line) => `${line}\n`)
      .join(''),
  );
}

/** One line of JSON. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

export function printRaw(output: string | Uint8Array): void {
  process.stdout.write(output);
}

/** For the person at the terminal, kept out of the output: one line on standard error. */
export function notice(text: string): void {
  noticeRaw(`loopwatch: ${text}\n`);
}

export function noticeRaw(text: string): void {
  process.stderr.write(text);
}

/** Resolves when the reader has all that was printed so far; never when it is gone. */
export async function printed(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdout.write('', (error) => {
      if (error == null) resolve();
    });
  });
}

/** Called once, before the first output. */
export function endWithoutReader(): void {
  process.stdout.on('error', end);
  process.stderr.on('error', drop);
}

/** For a process that runs the daemon: agents depend on it, and its output needs no reader. */
export function runOnWithoutReader(): void {
  process.stdout.on('error', drop).off('error', end);
}

function end(error: Error): void {
  // Nothing is left half done: a command prints what has already happened.
  if (systemCode(error) === 'EPIPE') process.exit(ExitCode.outputClosed);
  notice(`cannot write to stdout: ${messageOf(error)}`);
  process.exit(isStorageCode(systemCode(error) ?? '') ? ExitCode.storage : ExitCode.failed);
}

function drop(): void {
  // There is no reader for a message.
}
