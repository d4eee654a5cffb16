import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LIBRARIES, PROGRAMS } from '../../../rolldown.config.ts';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';

it.each([...PROGRAMS, ...LIBRARIES])(
  'AR6 dist/%s.js uses only syntax that this Node knows',
  async (program) => {
    const file = join(packageRoot(), `dist/${program}.js`);
    const checked = await execFile(process.execPath, ['--check', file], { timeoutMs: 600_000 });
    expect(checked).toEqual({ ok: true, stdout: '' });
  },
);
