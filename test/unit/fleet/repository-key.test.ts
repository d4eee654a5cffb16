import { expect, it } from 'vitest';
import { repositoryKey } from '../../../server/worktrees/git/repository-key.ts';

it('FO5 all spellings of the address of a remote have one key', () => {
  const spellings = [
    'git@Example.com:team/shop.git',
    'ssh://git@example.com/team/shop',
    'ssh://git@example.com:22/team/shop.git/',
    'https://mia@example.com/team//shop.git',
    'https://EXAMPLE.com:443/team/shop',
    'git://example.com:9418/team/shop.git',
    'example.com:/team/shop',
  ];
  expect(new Set(spellings.map(repositoryKey)).size).toBe(1);
  const others = [
    'https://example.com/team/shop2',
    'https://example.com:8443/team/shop',
    'https://example.org/team/shop',
    'https://example.com/Team/shop',
    '/srv/git/shop.git',
  ];
  expect(new Set([...others, spellings[0] ?? ''].map(repositoryKey)).size).toBe(6);
  expect(repositoryKey('file:///srv/git/shop.git')).toBe(repositoryKey('/srv/git/shop/'));
});

it('FO5 an address that only means something on one machine is none', () => {
  expect([null, '', '../shop', './shop', 'shop'].map(repositoryKey)).toEqual(Array(5).fill(null));
});
