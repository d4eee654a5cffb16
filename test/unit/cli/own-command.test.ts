import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ownCommand } from '../../../server/cli/own-command.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const root = mkdtempSync(join(TEST_ROOT, 'own-'));
const script = join(root, 'a b/dist/main.js');
const [bin, npmBin] = [join(root, 'bin'), join(root, 'app/node_modules/.bin')];
for (const directory of [join(root, 'a b/dist'), bin, npmBin]) {
  mkdirSync(directory, { recursive: true });
}
writeFileSync(script, '');
for (const directory of [bin, npmBin]) symlinkSync(script, join(directory, 'loopwatch'));
afterAll(() => rmSync(root, { recursive: true }));

it.each([
  ['on the PATH', { path: `/usr/bin:${bin}`, cwd: '/' }, 'loopwatch stop'],
  ['in this directory', { path: npmBin, cwd: join(root, 'app') }, 'npx loopwatch stop'],
  ['on a PATH of npm alone', { path: npmBin, cwd: bin }, `node '${script}' stop`],
  ['in a checkout', { path: '/usr/bin', cwd: join(root, 'a b') }, 'node dist/main.js stop'],
  ['elsewhere', { path: '', cwd: bin }, `node '${script}' stop`],
])('CL62 a message names a command that exists: %s', (_, { path, cwd }, expected) => {
  expect(ownCommand('stop', { script, path, cwd })).toBe(expected);
});

it('CL62 another program called loopwatch is not taken for this one', () => {
  const path = join(root, 'other');
  mkdirSync(path);
  writeFileSync(join(path, 'loopwatch'), '');
  expect(ownCommand('stop', { script, path, cwd: bin })).toBe(`node '${script}' stop`);
});
