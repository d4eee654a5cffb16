/** What lets an agent run `loopwatch step` of this installation without asking a person each time. */
import { join } from 'node:path';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { packageRoot } from '../../lib/package-root.ts';

const PROGRAM = 'loopwatch';
/** Names the program to the plugin; without it, `loopwatch` on the PATH is used. */
const PROGRAM_VARIABLE = 'LOOPWATCH_BIN';

export interface StepAccess {
  env: Record<string, string>;
  /** Permission rules of the client: the steps of a loop, and finding the program, never ask. */
  allow: string[];
}

/** Writes the program into the directory of a run; throws the system's error. Paths must be inert in single quotes. */
export function giveStepAccess(directory: string): StepAccess {
  const main = join(packageRoot(), 'dist/server/main.js');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileAtomic(directory, PROGRAM, script, 0o700);
  const program = join(directory, PROGRAM);
  return {
    env: { [PROGRAM_VARIABLE]: program },
    allow: [
      `Bash(${program} step:*)`,
      `Bash(${PROGRAM} step:*)`,
      `Bash(printenv ${PROGRAM_VARIABLE})`,
    ],
  };
}
