/** Every run of the stand-in in a world, as the stand-in itself recorded it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../daemon/world.ts';

export interface StandInRun {
  cwd: string;
  /** Its message. */
  message: string;
  /** The conversation it continued; null for the first run of one. */
  resumed: string | null;
}

/** In the order in which they began. */
export function standInRuns({ root }: World): StandInRun[] {
  const file = join(root, 'claude', 'stand-in-calls.ndjson');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const { argv, cwd } = JSON.parse(line) as { argv: string[]; cwd: string };
    const after = (option: string) => argv[argv.indexOf(option) + 1] ?? '';
    return {
      cwd,
      message: argv.includes('-p') ? after('-p') : '',
      resumed: argv.includes('-r') ? after('-r') : null,
    };
  });
}
