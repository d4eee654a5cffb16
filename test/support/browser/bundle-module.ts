import { basename, join } from 'node:path';
import { build } from 'rolldown';
import { packageRoot } from '../../../server/lib/package-root.ts';

/** `source` is relative to the package; returns a file in `directory` that any process can import. */
export async function bundleModule(source: string, directory: string): Promise<string> {
  const file = join(directory, basename(source).replace(/\.ts$/, '.mjs'));
  const input = join(packageRoot(), source);
  // Its native part stays where it is.
  const external = ['better-sqlite3'];
  await build({ input, platform: 'node', logLevel: 'silent', external, output: { file } });
  return file;
}
