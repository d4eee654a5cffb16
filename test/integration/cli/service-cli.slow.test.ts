/** `loopwatch service`: its output is read back as a service manager would. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { findProgram } from '../../../server/lib/processes/program-versions.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { parseUnitFile, unitWords } from '../../support/house/unit-file.ts';
import { World } from '../../support/daemon/world.ts';

const PATH = process.env['PATH'] ?? '';
const PROGRAM = join(packageRoot(), 'dist/server/main.js');
const TOKEN = 'a-token-nobody-may-read';
/** Everything in a value that a unit or a property list could misread. */
const ODD = `/a b/%h %% $HOME \${HOME} "quoted" 'single' back\\slash \\n <tag> &amp; ]]> -- ü # ; end\\`;

it('KE1, KE2, KE16 a unit has absolute paths, the settings that are set, no token, and ends the daemon alone', async () => {
  await using world = new World({ LOOPWATCH_CLAUDE: ODD, LOOPWATCH_TOKEN: TOKEN, HOST: '::1' });
  const { code, stdout } = await world.cli('service');
  expect(code).toBe(0);
  expect(stdout).not.toContain(TOKEN);
  const { values } = parseUnitFile(stdout);
  const environment = (values.get('Service.Environment') ?? []).flatMap(unitWords);
  const [start = ''] = values.get('Service.ExecStart') ?? [];
  expect(start.startsWith(':')).toBe(true);
  expect(unitWords(start.slice(1))).toEqual([process.execPath, PROGRAM, 'start']);
  const settings = Object.entries(world.environment).filter(
    ([name]) => /^(LOOPWATCH_|PORT$|HOST$|PATH$)/.test(name) && !/TOKEN|STAND_IN/.test(name),
  );
  expect(new Set(environment)).toEqual(
    new Set(settings.map(([name, value]) => `${name}=${value ?? ''}`)),
  );
  expect(Object.fromEntries([...values].filter(([key]) => !key.endsWith('Environment')))).toEqual({
    'Unit.Description': ['Loopwatch supervises coding agents'],
    'Unit.After': ['network.target'],
    'Unit.StartLimitIntervalSec': ['120'],
    'Unit.StartLimitBurst': ['5'],
    'Service.Type': ['simple'],
    'Service.WorkingDirectory': ['~'],
    'Service.ExecStart': [start],
    'Service.Restart': ['on-failure'],
    'Service.RestartSec': ['2'],
    'Service.RestartPreventExitStatus': ['2 73 75 78'],
    'Service.TimeoutStopSec': ['15'],
    'Service.KillMode': ['process'],
    'Service.OOMPolicy': ['continue'],
    'Service.LimitCORE': ['0:infinity'],
    'Install.WantedBy': ['default.target'],
  });
  const comments = stdout.split('\n').filter((line) => line.startsWith('#'));
  expect(comments.join('\n')).toMatch(/systemctl --user enable --now loopwatch/);
  expect(comments.join('\n')).toMatch(/LOOPWATCH_TOKEN is set but not written here/);
});

it('KE1 a unit of the system names its user and its target', async () => {
  await using world = new World();
  const { stdout } = await world.cli('service', '--system');
  const { values } = parseUnitFile(stdout);
  expect(values.get('Service.User')).toHaveLength(1);
  expect(values.get('Install.WantedBy')).toEqual(['multi-user.target']);
  expect(stdout).toMatch(/^# .*sudo systemctl enable --now loopwatch$/m);
  expect(stdout).not.toMatch(/LOOPWATCH_TOKEN/);
});

it.runIf(findProgram('systemd-analyze', PATH) !== null)(
  'KE16 systemd accepts the units, with any values in the settings',
  async () => {
    await using world = new World({ LOOPWATCH_CLAUDE: ODD });
    for (const flags of [[], ['--system']]) {
      const file = join(world.root, 'loopwatch.service');
      writeFileSync(file, (await world.cli('service', ...flags)).stdout);
      const options = { timeoutMs: 60_000, env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning' } };
      const verified = await execFile(
        'sh',
        ['-c', `systemd-analyze verify --man=no "$0" 2>&1 | grep -F loopwatch.service; true`, file],
        options,
      );
      expect(verified).toEqual({ ok: true, stdout: '' });
    }
  },
);

it.runIf(findProgram('python3', PATH) !== null)(
  'KE1, KE2, KE16 the property list is valid, with every value unchanged',
  async () => {
    await using world = new World({ LOOPWATCH_CLAUDE: ODD, LOOPWATCH_TOKEN: TOKEN });
    const { stdout } = await world.cli('service', '--launchd');
    expect(stdout).not.toContain(TOKEN);
    const script =
      'import json, plistlib, sys; json.dump(plistlib.loads(sys.stdin.buffer.read()), sys.stdout)';
    const read = await execFile('python3', ['-c', script], { input: stdout, timeoutMs: 600_000 });
    const list = JSON.parse(read.ok ? read.stdout : 'null') as Record<string, unknown>;
    expect(list).toMatchObject({
      Label: 'loopwatch',
      ProgramArguments: [process.execPath, PROGRAM, 'start'],
      EnvironmentVariables: {
        LOOPWATCH_CLAUDE: ODD,
        LOOPWATCH_HOME: world.home,
        PORT: '0',
        PATH: world.environment['PATH'],
      },
      KeepAlive: { SuccessfulExit: false },
      AbandonProcessGroup: true,
    });
  },
);

it.each([
  [{ LOOPWATCH_CLAUDE: 'a\nExecStartPre=/bin/evil' }, 'LOOPWATCH_CLAUDE'],
  [{ LOOPWATCH_HOSTS: 'a\u001bb' }, 'LOOPWATCH_HOSTS'],
  [{ PORT: 'many' }, 'PORT'],
])('KE16 a value that cannot be written down is refused: %j', async (settings, name) => {
  await using world = new World({ ...settings });
  for (const flags of [[], ['--system'], ['--launchd']]) {
    const { code, stdout, stderr } = await world.cli('service', ...flags);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toContain(name);
  }
});

it('KE1 the printed command starts a daemon with these settings', async () => {
  await using world = new World();
  const { values } = parseUnitFile((await world.cli('service')).stdout);
  const [start = ''] = values.get('Service.ExecStart') ?? [];
  const environment = (values.get('Service.Environment') ?? []).flatMap(unitWords);
  expect(unitWords(start.slice(1))).toEqual([process.execPath, PROGRAM, 'start']);
  // As a service manager would: only what the unit sets, and the manager's own environment.
  for (const name of Object.keys(world.environment)) {
    const always = name === 'HOME' || name === 'XDG_RUNTIME_DIR';
    if (!always) Reflect.deleteProperty(world.environment, name);
  }
  for (const pair of environment) {
    const [, name = '', value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    world.environment[name] = value;
  }
  const { api, process: daemon } = await world.spawn();
  const { body } = await api.get('/api/status');
  expect(body).toMatchObject({ home: world.home, roots: [join(world.root, 'tasks')] });
  daemon.kill('SIGTERM');
  expect(await once(daemon, 'exit')).toEqual([0, null]);
});
