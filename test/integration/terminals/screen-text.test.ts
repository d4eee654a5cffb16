/** A snapshot of a terminal is only text and colours, for any output of a program. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openShell, runInShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const ESC = '\u001b';
const BEL = '\u0007';
const ST = `${ESC}\\`;
const OSC = [
  '0;title <img src=x onerror=alert(1)>',
  '1;icon',
  '2;title',
  '4;1;?',
  '7;file:///etc',
  '8;;javascript:alert(1)',
  '9;note',
  '10;?',
  '11;?',
  '52;c;c2VjcmV0',
  '52;c;?',
  '133;A',
  '633;A',
  '777;notify;a;b',
  '1337;SetMark',
  '1337;File=inline=1:AAAA',
];
const STRINGS = [
  ...OSC.flatMap((text) => [`${ESC}]${text}${BEL}`, `${ESC}]${text}${ST}`]),
  ...['P', 'X', '^', '_'].map((kind) => `${ESC}${kind}payload<script>${ST}`),
  `${ESC}P$q"p${ST}`,
  `${ESC}P+q544e${ST}`,
];
const QUERIES = ['6n', 'c', '>c', '=c', '?6n', '5n', '?2026$p', '18t', '21t', '>q'];
const C1 = Array.from({ length: 32 }, (_, index) => String.fromCharCode(0x80 + index));

/** Printable text and SGR: a row may contain nothing else. */
const SAFE_ROW = new RegExp(`^(?:${ESC}\\[[0-9:;]*m|[^\\u0000-\\u001f\\u007f-\\u009f])*$`);

async function screenAfter(world: World, content: string | Buffer): Promise<string[]> {
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  writeFileSync(join(cwd, 'content'), content);
  await openShell(api, 'web', cwd);
  await runInShell(api, 'web', 'clear; cat content; touch shown', join(cwd, 'shown'));
  const lines = await until('the screen has settled', async () => {
    const { body } = await api.get('/api/sessions/web/screen');
    const rows = body['lines'] as string[];
    return rows.join('').includes('the end') ? rows : null;
  });
  return lines;
}

it.each([
  ['strings of OSC, DCS, APC, PM and SOS', STRINGS.join('')],
  ['queries', QUERIES.map((query) => `${ESC}[${query}`).join('')],
  ['C1 controls', C1.join('x')],
  ['C1 bytes', Buffer.concat([Buffer.from([0x9b, 0x33, 0x6d, 0x9d, 0x30, 0x3b, 0x9c])])],
  ['C0 controls', '\u0001\u0002\u0005\u0006\u000e\u000f\u0010\u0011\u0013\u0016\u001c\u001f'],
  ['strings that never end', `${ESC}]0;no end${ESC}[0m${ESC}P no end${ESC}[0m`],
  ['a thousand colours in a row', `${ESC}[38;5;1m${ESC}[1;4m`.repeat(1000)],
  ['character sets and modes', `${ESC}(0${ESC})0${ESC}=${ESC}>${ESC}[?1049h${ESC}[?1000h${ESC}7`],
])('SE5 a screen after %s holds text and colours only', async (_, content) => {
  await using world = new World();
  // Ends every open sequence, and erases nothing.
  const end = Buffer.from(`${ST}${ESC}[0m${ESC}[?1049l${ESC}(B\r\nthe end\r\n`);
  const lines = await screenAfter(world, Buffer.concat([Buffer.from(content), end]));
  expect(lines.filter((line) => !SAFE_ROW.test(line))).toEqual([]);
  expect(lines.join('')).not.toMatch(/payload|javascript|c2VjcmV0/);
});

it('SE5 markup is text like any other', async () => {
  await using world = new World();
  const markup = '<img src=x onerror=alert(1)></script><b>&amp;';
  const lines = await screenAfter(world, `${markup}\r\nthe end\r\n`);
  expect(lines).toContain(markup);
});

it('SE5 colours stay, each row on its own', async () => {
  await using world = new World();
  const lines = await screenAfter(world, `${ESC}[31mred\r\nstill red${ESC}[0m\r\nthe end\r\n`);
  const red = lines.filter((line) => line.includes('red'));
  expect(red.length).toBe(2);
  expect(red.every((line) => /^\S*\[(?:0;)?31m.*red/.test(line))).toBe(true);
});

it('SE5 no printed query is answered into the shell when the screen is requested', async () => {
  await using world = new World();
  const { api } = await world.start();
  const cwd = world.taskDir('one');
  writeFileSync(join(cwd, 'content'), QUERIES.map((query) => `${ESC}[${query}`).join(''));
  await openShell(api, 'web', cwd);
  // Answers of the terminal itself are read before the listener begins.
  const drain = 'stty -echo raw; cat content; dd count=1 2>/dev/null >/dev/null; stty sane';
  await runInShell(api, 'web', `${drain}; touch drained; cat > heard`, join(cwd, 'drained'));
  for (let count = 0; count < 50; count += 1) await api.get('/api/sessions/web/screen');
  await api.send('POST', '/api/sessions/web/input', { text: 'mark', submit: true });
  const heard = await until('the mark', () => {
    const text = readFileSync(join(cwd, 'heard'), 'utf8');
    return text.includes('mark') ? text : null;
  });
  expect(heard.endsWith('mark\n')).toBe(true);
});
