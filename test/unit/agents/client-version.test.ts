import { expect, it } from 'vitest';
import { compareVersions, parseClientVersion } from '../../../server/agents/client-version.ts';

it.each([
  ['2.1.329 (Claude Code)', { major: 2, minor: 1, patch: 329 }],
  ['1.0.128 (Claude Code)\n', { major: 1, minor: 0, patch: 128 }],
  ['0.0.0 (Loopwatch stand-in)', null],
  ['2.1.329', null],
  ['codex-cli 0.169.0', null],
  ['2.1 (Claude Code)', null],
  ['2.1.329-beta (Claude Code)', null],
  ['x 2.1.329 (Claude Code)', null],
  [`${'9'.repeat(400)}.1.1 (Claude Code)`, null],
  ['', null],
])('HK1 %j is read as %j', (answer, version) => {
  expect(parseClientVersion(answer)).toEqual(version);
});

it('HK1 versions compare by number, not by letter', () => {
  const version = (text: string) => parseClientVersion(`${text} (Claude Code)`);
  const texts = ['2.1.329', '1.0.128', '2.0.76', '2.1.33', '10.0.0'];
  const sorted = texts
    .map(version)
    .filter((found) => found !== null)
    .sort(compareVersions)
    .map(({ major, minor, patch }) => `${major}.${minor}.${patch}`);
  expect(sorted).toEqual(['1.0.128', '2.0.76', '2.1.33', '2.1.329', '10.0.0']);
});
