/** Text on its way into a terminal: it arrives as sent, and only where it was meant to go. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  listen,
  openShell,
  rowsOf,
  runInShell,
  typeInto,
} from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const STRINGS = 500;

/** A session with a foreground program that writes every line it reads to a file. */
async function openListener(world: World, session = 'web') {
  const { api } = await world.start();
  const heard = await listenIn(world, api, session);
  return { api, heard };
}

async function listenIn(world: World, api: ApiClient, session: string): Promise<() => string> {
  const cwd = world.taskDir(session);
  const file = join(cwd, 'heard');
  await openShell(api, session, cwd);
  await listen(api, session, file);
  return () => readFileSync(file, 'utf8');
}

/** The bytes a terminal may get from a text, defined independently of the daemon. */
function withoutControlBytes(text: string): string {
  return Array.from(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'))
    .filter((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code === 9 || code === 10 || (code >= 32 && (code < 127 || code > 159));
    })
    .join('');
}

function filesNamed(root: string, name: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.split('/').at(-1) === name,
  );
}

async function tmux(socket: string | undefined, ...words: string[]): Promise<string> {
  const answer = await execFile('tmux', ['-S', socket ?? '', ...words], { timeoutMs: 60_000 });
  return answer.ok ? answer.stdout : answer.stderr;
}

const SPECIAL = Array.from(';#{}$()`\\"\'%~!\t\n\r\u001b\u0003\u009b');

const TRICKS = [
  ';',
  'a;',
  '\\;',
  'a\\;',
  ';;',
  'Enter',
  'C-c',
  'C-d',
  'Escape',
  '-l',
  '-t main:',
  '--',
  '#(touch pwned)',
  '#{pid}',
  '#S',
  '$(touch pwned)',
  '`touch pwned`',
  '%1',
  '~',
  '!!',
  '*',
  '"',
  "'",
  '\\',
  '\\n',
  '{ }',
  'kill-server',
  'a\tb',
  ' leading',
  'trailing ',
  'ünï 漢字 😀',
  'x\u001b[201~\rtouch pwned',
  '\u009b201~x',
  'a\u0003b\u0004c\u001ad',
  'a\rb\r\nc',
  '\u0000',
  '\u007f\b',
  'a\u202eb',
  'a\u200bb',
  '\ufeffa',
];

it('SE3 text that is special to tmux, readline or a shell arrives unchanged', async () => {
  await using world = new World();
  const { api, heard } = await openListener(world);
  let expected = '';
  for (const text of TRICKS) {
    const line = withoutControlBytes(text);
    // A text with nothing left is just Enter; that has its own test.
    if (line === '') continue;
    expect([text, await typeInto(api, 'web', text)]).toEqual([text, 'typed']);
    expected += `${line}\n`;
  }
  await until('the last line', () => heard().length >= expected.length).catch(() => undefined);
  expect(heard()).toBe(expected);
  expect(filesNamed(world.root, 'pwned')).toEqual([]);
});

it('SE3 five hundred random texts arrive byte for byte', async () => {
  await using world = new World();
  const { api, heard } = await openListener(world);
  const letter = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom(...SPECIAL) },
    { weight: 1, arbitrary: fc.constantFrom(...TRICKS) },
  );
  const texts = fc.sample(fc.array(letter, { minLength: 1, maxLength: 60 }), {
    numRuns: STRINGS,
    seed: 20_260_101,
  });
  let expected = '';
  for (const letters of texts) {
    // A leading mark, so that none is empty.
    const text = `>${letters.join('')}`;
    expect([text, await typeInto(api, 'web', text)]).toEqual([text, 'typed']);
    expected += `${withoutControlBytes(text)}\n`;
  }
  await until('the last line', () => heard() === expected).catch(() => undefined);
  expect(heard().split('\n')).toEqual(expected.split('\n'));
});

it('SE3 sixty kilobytes of lines arrive whole', async () => {
  await using world = new World();
  const { api, heard } = await openListener(world);
  const lines = Array.from({ length: 600 }, (_, index) => `${index} `.padEnd(99, 'ö#;'));
  const text = lines.join('\n').slice(0, 45_000);
  expect(await typeInto(api, 'web', text)).toBe('typed');
  await until('all of it', () => heard().length >= text.length + 1).catch(() => undefined);
  expect(heard()).toBe(`${text}\n`);
});

it('SE3 texts sent at the same time arrive each once and whole', async () => {
  await using world = new World();
  const { api, heard } = await openListener(world);
  // So many that one is still on its way to the terminal when the next one comes.
  const texts = Array.from({ length: 150 }, (_, index) => `${index} `.padEnd(1_000, 'x'));
  await Promise.all(texts.map(async (text) => typeInto(api, 'web', text)));
  const lines = () => heard().split('\n').slice(0, -1);
  await until('all lines', () => lines().length >= texts.length).catch(() => undefined);
  const names = (rows: string[]) => rows.map((row) => `${parseInt(row)} ${row.length}`).sort();
  expect(names(lines())).toEqual(names(texts));
  await until('each is settled as typed', async () => {
    const { body } = await api.get('/api/sessions/web/inputs');
    return (body['inputs'] as { delivery: string }[]).every(({ delivery }) => delivery === 'typed');
  });
});

it('SE3 SE15 a text of 100 KB and many lines arrives whole', async () => {
  await using world = new World();
  const { api, heard } = await openListener(world);
  const text = Array.from({ length: 1_000 }, (_, line) => `${line} `.padEnd(100, 'é')).join('\n');
  expect(Buffer.byteLength(text)).toBeGreaterThan(100 * 1024);
  expect(await typeInto(api, 'web', text)).toBe('typed');
  await until('all of it', () => heard().length > text.length);
  expect(heard()).toBe(`${text}\n`);
});

it('SE15 a line that the foreground program would cut is refused, and nothing of it is typed', async () => {
  await using world = new World();
  const { api, heard } = await openListener(world);
  expect(await typeInto(api, 'web', 'x'.repeat(5_000))).toBe('failed');
  expect(await typeInto(api, 'web', 'short')).toBe('typed');
  await until('the short one', () => heard().includes('short'));
  expect(heard()).toBe('short\n');
});

it('SE3 an end of paste inside a text does not run what follows', async () => {
  await using world = new World();
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  await openShell(api, 'web', cwd);
  await typeInto(api, 'web', 'echo x\u001b[201~\rtouch pwned\r', false);
  await typeInto(api, 'web', '\u009b201~\ntouch pwned\n', false);
  // A shell that is interrupted in the middle of a paste runs the rest of it.
  await until('both texts', async () => {
    const rows = await rowsOf(api, 'web');
    return rows.join('').split('touch pwned').length === 3;
  });
  // Ctrl-C is no text; a new line of its own shows that the shell ran nothing before it.
  const [socket] = world.sockets();
  await tmux(socket, 'send-keys', '-t', 'main:', 'C-c');
  await runInShell(api, 'web', 'touch done', join(cwd, 'done'));
  expect(filesNamed(world.root, 'pwned')).toEqual([]);
});

it('SE3 text is not expanded on its way to the line of a shell', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('one'));
  const text = '#(touch pwned) #{pid} #S %1 ; \\; $(touch pwned)';
  await typeInto(api, 'web', text, false);
  await until('the line', async () => (await rowsOf(api, 'web')).some((row) => row.endsWith(text)));
  expect(filesNamed(world.root, 'pwned')).toEqual([]);
});

it('SE4 sessions with the same beginning of the name do not mix', async () => {
  await using world = new World();
  const { api, heard: heardByAb } = await openListener(world, 'ab');
  const heardByA = await listenIn(world, api, 'a');
  await typeInto(api, 'a', 'only for a');
  await typeInto(api, 'ab', 'only for ab');
  await until('both lines', () => heardByA() !== '' && heardByAb() !== '');
  await api.send('DELETE', '/api/sessions/a');
  const delivery = await typeInto(api, 'ab', 'again');
  await until('the next line', () => heardByAb().includes('again'));
  expect({ a: heardByA(), ab: heardByAb(), delivery }).toEqual({
    a: 'only for a\n',
    ab: 'only for ab\nagain\n',
    delivery: 'typed',
  });
});

it.each(['respawned', 'of another server', 'gone'])(
  'SE4 nothing is typed into a terminal that was replaced: %s',
  async (how) => {
    await using world = new World({ LOOPWATCH_SIGNAL_POLL_MS: '600000' });
    const { api } = await world.start();
    const cwd = world.taskDir('one');
    await openShell(api, 'web', cwd);
    const [socket] = world.sockets();
    const listen = ['sh', '-c', `exec cat > '${join(cwd, 'heard')}'`];
    if (how === 'respawned') await tmux(socket, 'respawn-pane', '-k', '-t', 'main:', ...listen);
    else await tmux(socket, 'kill-server');
    if (how === 'of another server') {
      await until(
        'the server is gone',
        async () =>
          (await tmux(socket, '-f', '/dev/null', 'new-session', '-d', '-s', 'main', ...listen)) ===
          '',
      );
    }
    if (how !== 'gone') await until('cat listens', () => existsSync(join(cwd, 'heard')));
    const delivery = await typeInto(api, 'web', 'secret');
    const screen = (await api.get('/api/sessions/web/screen')).body.error?.code;
    if (how !== 'gone') {
      await tmux(socket, 'send-keys', '-t', 'main:', 'mark', 'Enter');
      await until('the mark', () => readFileSync(join(cwd, 'heard'), 'utf8').includes('mark'));
      expect(readFileSync(join(cwd, 'heard'), 'utf8')).toBe('mark\n');
    }
    expect({ delivery, screen }).toEqual({ delivery: 'failed', screen: 'terminal_failed' });
  },
);
