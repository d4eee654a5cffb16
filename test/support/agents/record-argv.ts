import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/**
 * Installs a `claude` of that version that records its arguments and keeps running; returns a
 * function that reads them. Without a version it is an unknown client.
 */
export function recordArgv(world: World, version = ''): () => Promise<string[]> {
  const file = join(world.root, 'argv');
  const record = `printf '%s\\0' "$@" > '${file}.new' && mv '${file}.new' '${file}'`;
  world.writeClient(version, `${record}\nexec sleep 1000`);
  return async () => {
    await until('the agent has recorded its arguments', () => existsSync(file));
    return readFileSync(file, 'utf8').split('\0').slice(0, -1);
  };
}
