import { expect, it } from 'vitest';
import { DetachKeys } from '../../../shared/rules/detach-keys.ts';

it.each([
  ['plain keys', ['abc'], 'abc', false],
  ['Ctrl-] then d', ['ab\u001dd'], 'ab', true],
  ['the two apart', ['a\u001d', 'd'], 'a', true],
  ['Ctrl-] twice', ['\u001d\u001dd'], '\u001dd', false],
  ['Ctrl-] then another', ['\u001dx'], '\u001dx', false],
])('CL7 %s', (_, pushes, passed, detached) => {
  const keys = new DetachKeys();
  const pushed = pushes.map((text) => keys.push(Buffer.from(text)));
  expect({
    passed: Buffer.concat(pushed.map(({ pass }) => pass)).toString(),
    detached: pushed.some(({ detach }) => detach),
  }).toEqual({ passed, detached });
});
