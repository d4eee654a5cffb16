import { expect, it } from 'vitest';
import { claimedRemote } from '../../../server/claims/claim-keys.ts';

it('FC1 the spellings of one remote are one, others are not', () => {
  const spellings = [
    'git@example.com:team/app.git',
    'git@example.com:/team/app',
    'ssh://git@Example.com:2222/team/app.git/',
    'https://example.com/Team/app.git',
    'https://user:secret@example.com/team/app',
    'git://example.com//team/app',
  ];
  expect(new Set(spellings.map(claimedRemote))).toEqual(new Set(['example.com/team/app']));
  expect(claimedRemote('file:///srv/git/app.git')).toBe(claimedRemote('/srv/git/app'));
  const others = [
    'git@example.com:team/app2',
    'git@example.org:team/app',
    '/srv/git/App',
    '/srv/git/app',
  ];
  expect(new Set(others.map(claimedRemote)).size).toBe(others.length);
});
