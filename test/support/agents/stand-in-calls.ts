import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../daemon/world.ts';

export interface StandInCall {
  argv: string[];
  cwd: string;
  pid: number;
  /** Its message; '' when that came by its standard input. */
  message: string;
}

/** Every headless turn of the world's stand-in so far, checks excluded. */
export function standInCalls(world: World): StandInCall[] {
  const file = join(world.root, 'claude', 'stand-in-calls.ndjson');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Omit<StandInCall, 'message'>)
    .map((call) => ({ ...call, message: call.argv[call.argv.indexOf('-p') + 1] ?? '' }))
    .filter(({ message }) => !message.includes('is_complete'));
}
