/** Whether the service manager of the daemon would end its terminals with it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judgeService, serviceCheck, unitOf } from '../../../server/preflight/service-check.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const USER_UNIT = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/loopwatch.service\n';

it.each([
  [USER_UNIT, { name: 'loopwatch.service', ofUser: true }],
  ['0::/system.slice/loopwatch.service\n', { name: 'loopwatch.service', ofUser: false }],
  [
    '3:cpu:/\n1:name=systemd:/system.slice/lw.service\n0::/system.slice/lw.service\n',
    { name: 'lw.service', ofUser: false },
  ],
  ['0::/user.slice/user-1000.slice/session-2.scope\n', null],
  ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope\n', null],
  ['0::/\n', null],
  ['4:memory:/system.slice/other.service\n0::/\n', null],
  ['', null],
])('KE17 finds the unit a process runs in: %j', (cgroup, unit) => {
  expect(unitOf(cgroup)).toEqual(unit);
});

it.each([
  ['process', true],
  ['none', true],
  ['control-group', false],
  ['mixed', false],
])('KE17 KillMode=%s is judged', (killMode, ok) => {
  const check = judgeService({ name: 'lw.service', ofUser: true }, killMode);
  expect(check).toMatchObject({ name: 'service', ok });
  expect(check.fix?.includes('systemctl --user edit lw.service') ?? true).toBe(true);
  expect(check.fix === null).toBe(ok);
});

it('KE17 asks the right service manager, and reports nothing when it gets no answer', async () => {
  const directory = mkdtempSync(join(TEST_ROOT, 's'));
  const PATH = `${directory}:/usr/bin:/bin`;
  const systemctl = (script: string) =>
    writeFileSync(join(directory, 'systemctl'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  systemctl('echo "$*" > "$(dirname "$0")/asked"; echo control-group');
  const check = await serviceCheck(USER_UNIT, { PATH });
  systemctl('exit 1');
  const silent = await serviceCheck(USER_UNIT, { PATH });
  const none = await serviceCheck('0::/\n', { PATH });
  const asked = readFileSync(join(directory, 'asked'), 'utf8');
  rmSync(directory, { recursive: true });
  expect(check?.ok).toBe(false);
  expect([silent, none]).toEqual([null, null]);
  expect(asked).toBe('--user show --property=KillMode --value -- loopwatch.service\n');
});
