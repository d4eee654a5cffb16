/** A home in which the client starts without the questions of a first start. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeScratchClient } from '../../server/agents/launch/scratch-client.ts';

/** Writes its configuration, and a `claude` in `bin` that talks to the model at `url` only. */
export function writeClientHome(
  { home, bin, projects }: { home: string; bin: string; projects: readonly string[] },
  program: string,
  url: string,
): void {
  const places = { config: join(home, '.claude'), state: home, projects };
  const environment = writeScratchClient(places, url);
  // A session in the background of 2.1.197 inherits no address of a model.
  writeFileSync(
    join(places.config, 'settings.json'),
    JSON.stringify({ theme: 'dark', env: environment }),
  );
  const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  const script = ['#!/bin/sh', ...exports, `exec '${program}' "$@"`, ''].join('\n');
  writeFileSync(join(bin, 'claude'), script, { mode: 0o755 });
}
