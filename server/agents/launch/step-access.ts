/** What lets an agent run `loopwatch step` of this installation without asking a person each time. */
import { join } from 'node:path';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { packageRoot } from '../../lib/package-root.ts';

const PROGRAM = 'loopwatch';
/** Names the program to the plugin; without it, `loopwatch` on the PATH is used. */
const PROGRAM_VARIABLE = 'LOOPWATCH_BIN';

/**
 * Read and write the files of a task directory and nothing else. Not `check`, which runs commands that
 * the agent may have written, nor `init`, which reads any file: those ask like every command, unless the
 * permissions of the loop allow it.
 */
export const QUIET_STEPS = [
  'entry',
  'done',
  'stop-requested',
  'status',
  'lock',
  'stop',
  'guide',
] as const;

export interface StepAccess {
  env: Record<string, string>;
  /** Permission rules of the client: the steps of a loop, and finding the program, never ask. */
  allow: string[];
}

/**
 * Writes the program into the directory of a run; throws the system's error. Paths must be inert in
 * single quotes. `mayCheck`: `check` does not ask either.
 */
export function giveStepAccess(directory: string, mayCheck: boolean): StepAccess {
  const main = join(packageRoot(), 'dist/server/main.js');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileAtomic(directory, PROGRAM, script, 0o700);
  const program = join(directory, PROGRAM);
  return {
    env: { [PROGRAM_VARIABLE]: program },
    allow: [
      ...(mayCheck ? [...QUIET_STEPS, 'check'] : QUIET_STEPS).flatMap((verb) => [
        `Bash(${program} step ${verb}:*)`,
        `Bash(${PROGRAM} step ${verb}:*)`,
      ]),
      `Bash(printenv ${PROGRAM_VARIABLE})`,
    ],
  };
}
