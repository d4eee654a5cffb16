/** `loopwatch session …`, lists as a script reads them, and what a shell completes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { inTerminal } from '../../support/terminals/in-terminal.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('CL47 a session is opened, listed and closed from the shell', async () => {
  await using world = new World();
  await world.spawn();
  const directory = world.taskDir('one');
  expect((await world.cli('session', 'ls')).stdout).toContain('no sessions; open one with');
  const opened = await world.cli('session', 'open', 'web', directory);
  expect(opened).toMatchObject({ code: 0, stdout: `web: opened in ${directory}\n` });
  expect(await world.cli('session', 'open', 'web', directory)).toMatchObject({ code: 1 });
  expect((await world.cli('session')).stdout).toMatch(/^SESSION +AGENT .*\nweb +- +- +tmux +\//);
  expect((await world.cli('session', 'ls', '-q')).stdout).toBe('web\n');
  const closed = await world.cli('session', 'close', 'web');
  expect(closed).toMatchObject({ code: 0, stdout: 'web: closed\n' });
  expect(await world.cli('session', 'close', 'web')).toMatchObject({ code: 4 });
});

it('CL48 -o json, -o jsonl and --json print the same rows', async () => {
  await using world = new World();
  await world.spawn();
  await world.cli('session', 'open', 'a', world.taskDir('one'));
  await world.cli('session', 'open', 'b', world.taskDir('two'));
  const plain = await world.cli('session', 'ls', '--json');
  const rows = JSON.parse(plain.stdout) as unknown[];
  expect(rows).toHaveLength(2);
  expect((await world.cli('session', 'ls', '-o', 'json')).stdout).toBe(plain.stdout);
  const lines = (await world.cli('session', 'ls', '-o', 'jsonl')).stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows);
  expect((await world.cli('session', 'ls', '-o', 'table')).stdout).toMatch(/^SESSION/);
  expect(await world.cli('session', 'ls', '-o', 'xml')).toMatchObject({ code: 2 });
});

it('CL49 open gives the browser a file only the owner can read, never the link as an argument', async () => {
  await using world = new World();
  await world.spawn();
  const seen = join(world.home, 'seen');
  const opener = join(world.home, 'xdg-open');
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\n`);
  chmodSync(opener, 0o755);
  const path = `${world.home}:${process.env.PATH ?? ''}`;
  const done = await world.cliWith({ PATH: path }, 'open');
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain('opened in your browser');
  const page = join(world.home, 'open.html');
  expect(readFileSync(seen, 'utf8')).toBe(`file://${page}\n`);
  expect(statSync(page).mode & 0o777).toBe(0o600);
  expect(readFileSync(page, 'utf8')).toMatch(/location\.replace\("http:\/\/127\.0\.0\.1:\d+\/#/);
  writeFileSync(opener, '#!/bin/sh\nexit 3\n');
  const failed = await world.cliWith({ PATH: path }, 'open');
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stderr).toMatch(/cannot open a browser with xdg-open; open http:/);
});

it('CL44 bash completes live names and never runs what they hold', async () => {
  await using world = new World();
  await world.spawn();
  await world.cli('session', 'open', 'web', world.taskDir('one'));
  await world.cli('people', 'invite', 'Mia $(touch pwned)', '--role', 'viewer');
  const main = join(packageRoot(), 'dist/server/main.js');
  const script = [
    `loopwatch() { ${JSON.stringify(process.execPath)} ${JSON.stringify(main)} "$@"; }`,
    'source <(loopwatch completion bash)',
    'try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loopwatch; printf "%s\\n" "${COMPREPLY[@]}"; }',
    'try loopwatch session screen w',
    'try loopwatch people role M',
    // As bash splits them: only what follows the last = is replaced.
    'try loopwatch usage --by = pr',
    'try loopwatch respawn config web --set send_init =',
    'try loopwatch respawn config web --set min_idle',
    'ls pwned 2>/dev/null',
  ].join('\n');
  const env = { ...process.env, LOOPWATCH_HOME: world.home };
  let shown: string[] = [];
  // A daemon that does not answer at once completes no names.
  const complete = () => {
    const options = { env, cwd: world.home, encoding: 'utf8' } as const;
    shown = spawnSync('bash', ['-c', script], options).stdout.split('\n');
    return shown.includes('web') && shown.some((name) => name.startsWith('Mia'));
  };
  await until('live names', complete, () => shown).catch(() => undefined);
  expect(shown).toEqual([
    'web',
    'Mia\\ \\$\\(touch\\ pwned\\)',
    'project',
    'true',
    'false',
    'min_idle_confidence=',
    '',
  ]);
});

it('CL44 each installed shell accepts its script', async () => {
  await using world = new World();
  const main = join(packageRoot(), 'dist/server/main.js');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = execFileSync(process.execPath, [main, 'completion', shell], {
      encoding: 'utf8',
    });
    const file = join(world.root, shell);
    writeFileSync(file, script);
    const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    // Not every machine has every shell.
    if (checked.error !== undefined) continue;
    expect(checked, shell).toMatchObject({ status: 0, stderr: '' });
  }
});

it('CL50 on a terminal a wait says what it waits for, in a pipe it prints nothing', async () => {
  await using world = new World();
  await world.spawn();
  const { shown, ended } = inTerminal(world, ['stop']);
  expect(await ended).toBe(0);
  expect(shown().replaceAll('\u001b', '^')).toMatch(
    /waiting for the daemon \(pid \d+\) to stop, since \d\d:\d\d:\d\d\r\^\[Kdaemon stopped/,
  );
  await world.spawn();
  const piped = await world.cli('stop');
  expect(piped).toEqual({
    code: 0,
    stdout: 'daemon stopped; sessions and agents keep running\n',
    stderr: '',
  });
});
