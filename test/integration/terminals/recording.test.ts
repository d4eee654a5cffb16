/** A recording replays to what the terminal showed, and ends on its own. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import {
  MAX_RECORDING_BYTES,
  MAX_RECORDING_MS,
  Recording,
} from '../../../server/sessions/showing/recording.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { openShell, rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

type Line = [seconds: number, code: string, data: string];

function parse(text: string): { header: { width: number; height: number }; lines: Line[] } {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  return {
    header: JSON.parse(first) as { width: number; height: number },
    lines: rest.map((line) => JSON.parse(line) as Line),
  };
}

async function replay(text: string): Promise<string[]> {
  const { header, lines } = parse(text);
  const emulator = new headless.Terminal({
    cols: header.width,
    rows: header.height,
    allowProposedApi: true,
  });
  for (const [, code, data] of lines) {
    if (code === 'o') await new Promise<void>((drawn) => emulator.write(data, drawn));
    const [cols = 0, rows = 0] = data.split('x').map(Number);
    if (code === 'r') emulator.resize(cols, rows);
  }
  const { active } = emulator.buffer;
  return Array.from({ length: emulator.rows }, (_, row) =>
    (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
  );
}

it.each(['tmux', 'pty'])('LT7 over %s a recording replays to the same screen', async (host) => {
  await using world = new World({ LOOPWATCH_TERMINAL: host });
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('one'));
  expect((await api.send('POST', '/api/sessions/web/recording')).status).toBe(201);
  await typeInto(api, 'web', 'seq 50; printf "\\033[31mrot\\033[0m 漢字 ✓\\n"');
  await until('the words', async () =>
    (await rowsOf(api, 'web')).some((row) => row.startsWith('rot')),
  );
  await api.send('POST', '/api/sessions/web/resize', { cols: 70, rows: 20 });
  await typeInto(api, 'web', 'echo after-$((1+1))');
  await until('the last words', async () => (await rowsOf(api, 'web')).includes('after-2'));
  const rows = await rowsOf(api, 'web');
  const shown = await until('the recording has it all', async () => {
    const replayed = await replay(await fetchCast(api.url, api.token));
    return replayed.join('\n').trimEnd() === rows.join('\n').trimEnd() ? replayed : null;
  });
  expect(shown.length).toBe(20);
  const file = join(world.home, 'recordings/web.cast');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await api.send('DELETE', '/api/sessions/web');
  const { lines } = await until('the end', () => {
    const cast = parse(readFileSync(file, 'utf8'));
    return cast.lines.at(-1)?.[1] === 'm' ? cast : null;
  });
  expect(lines.some(([, code, data]) => code === 'r' && data === '70x20')).toBe(true);
  expect(lines.at(-1)?.[2]).toBe('recording stopped: terminal_gone');
});

async function fetchCast(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/sessions/web/recording`, { headers });
  expect(answer.headers.get('content-type')).toBe('application/x-asciicast');
  return answer.text();
}

it('LT7 a character split between two pieces stays whole, and time is that of the clock', () => {
  using recorded = record('split');
  const { recording, clock } = recorded;
  const bytes = Buffer.from('漢');
  clock.advance(1_500);
  recording.bytes(bytes.subarray(0, 1));
  recording.bytes(bytes.subarray(1));
  recording.end('stopped');
  expect(recorded.lines()).toEqual([
    [1.5, 'o', '漢'],
    [1.5, 'm', 'recording stopped: stopped'],
  ]);
  expect(clock.pending).toBe(0);
});

it('LT14 a recording ends at 16 MiB and says so', () => {
  using recorded = record('large');
  for (let count = 0; count < 40; count += 1)
    recorded.recording.bytes(Buffer.alloc(512 * 1024, 'x'));
  expect(recorded.recording.ending).toBe('size');
  expect(recorded.recording.length).toBeLessThanOrEqual(MAX_RECORDING_BYTES);
  expect(recorded.lines().at(-1)?.[2]).toBe('recording stopped: size');
});

it('LT14 a recording ends after an hour, quiet or not, and keeps no other timer', () => {
  using recorded = record('long');
  recorded.clock.advance(2_000);
  expect(recorded.clock.pending).toBe(1);
  recorded.clock.advance(MAX_RECORDING_MS);
  expect(recorded.recording.ending).toBe('time');
  expect(recorded.lines().at(-1)?.[2]).toBe('recording stopped: time');
});

function record(name: string) {
  const clock = new ManualClock();
  const path = join(TEST_ROOT, `${name}.cast`);
  const recording = new Recording(path, clock);
  recording.size({ cols: 80, rows: 24 });
  return {
    recording,
    clock,
    lines: () => parse(readFileSync(path, 'utf8')).lines,
    [Symbol.dispose]() {
      recording.end('stopped');
      rmSync(path);
    },
  };
}
