/** The stress program, short: every count of every scenario holds, on each engine that can run. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { TransportName } from '../../../shared/schema/transport-name.ts';
import { loadEngine } from '../../stress/engines.ts';
import { VOLUME } from '../../support/house/random.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const PROGRAM = join(packageRoot(), 'dist/test/stress/main.js');

for (const name of TransportName.options) {
  const engine = await loadEngine(name);
  it.skipIf(typeof engine === 'string')(
    `UL1 UL2 UL3 UL4 UL5 keeps every limit under stress on engine ${name}` +
      (typeof engine === 'string' ? `: ${engine}` : ''),
    () => {
      const volume = VOLUME === 'long' ? [] : ['--short'];
      const words = [PROGRAM, '--engine', name, '--counts', ...volume];
      const environment = { ...process.env, TMPDIR: TEST_ROOT };
      const { status, stdout } = spawnSync(process.execPath, words, {
        env: environment,
        encoding: 'utf8',
      });
      const missed = stdout.split('\n').filter((line) => /^(?:BROKEN| {2}broken)/.test(line));
      expect({ status, missed }).toEqual({ status: 0, missed: [] });
    },
  );
}
