/** Which addresses lead to another host, and that no spelling leads anywhere else. */
import { expect, it } from 'vitest';
import { gate, gatePolicy } from '../../../server/api/gate.ts';
import { hostBase, isApiTarget, readHostPath } from '../../../server/fleet/host-path.ts';
import { seeded } from '../../support/house/random.ts';

const policy = gatePolicy(4700, [], false);

function isRefused(target: string, site: string): boolean {
  const headers = Object.entries({ host: '127.0.0.1:4700', 'sec-fetch-site': site });
  return gate({ method: 'GET', target, headers, remoteAddress: '' }, policy) !== null;
}

it('FH7 an address below a name leads to the API of that host, as it is spelled', () => {
  expect(readHostPath('/hosts/build-1/api/events?after=3#x')).toBeNull();
  expect(readHostPath('/hosts/build-1/api/events?after=3')).toEqual({
    name: 'build-1',
    target: '/api/events?after=3',
  });
  const others = ['/api/hosts', '/hosts', '/hosts/', '//hosts/x/api/me', '/x/../hosts/x/api/me'];
  expect(others.map(readHostPath)).toEqual(others.map(() => null));
  const good = [
    '/api/me',
    '/api/sessions/web/screens/2026-01-01T00:00:00.000Z?x=../y%2F',
    '/api/a%20b',
  ];
  expect(good.filter((target) => !isApiTarget(target))).toEqual([]);
  const bad = [
    '/api',
    '/apix/me',
    '/API/me',
    '/metrics',
    '/healthz',
    '/hosts/two/api/me',
    '/api/../metrics',
    '/api/%2e%2e/metrics',
    '/api/.%2E/metrics',
    '/api/%252e%252e/metrics',
    '/api/x%2f..%2f..%2fmetrics',
    '/api/x%5c..%5cmetrics',
    '/api\\..\\metrics',
    '/api//me',
    '//api/me',
    '/api/me#x',
    '/api/\u0000',
    '/api/%00',
    '/api/%',
    'http://host/api/me',
  ];
  expect(bad.filter(isApiTarget)).toEqual([]);
});

it('FH7 GA14 what leads to an API or WebSocket of a host is no page to the gate', () => {
  const targets = [
    'api/me',
    'ws',
    'metrics',
    'health',
    '%61pi/me',
    '/api/me',
    'hosts/b/api/me',
    './api/me',
  ];
  const passed = targets.filter((rest) => !isRefused(`/hosts/two/${rest}`, 'none'));
  expect(passed).toEqual([]);
  expect(
    ['/hosts/two', '/hosts/two/', '/hosts/two/sessions/api', '/hosts'].map((page) =>
      isRefused(page, 'none'),
    ),
  ).toEqual([false, false, false, false]);
  expect(isRefused('/hosts/two/', 'cross-site')).toBe(true);
});

it('FH16 only a valid name becomes the base of a page', () => {
  expect(['/hosts/two', '/hosts/two/', '/hosts/two/sessions/web'].map(hostBase)).toEqual([
    '/hosts/two',
    '/hosts/two',
    '/hosts/two',
  ]);
  const others = [
    '/',
    '/hosts',
    '/hosts/',
    '/hosts/Two/',
    '/hosts/a"b/',
    '/hosts/%22/',
    '/hosts/-/',
    '//hosts/two',
  ];
  expect(others.map(hostBase)).toEqual(others.map(() => ''));
});

it('FH7 of random spellings, only those that every reader resolves to the API are passed on', async () => {
  await seeded((random) => {
    const parts = [
      'api',
      '/',
      '..',
      '.',
      '%2e',
      '%2f',
      '%252f',
      '%5c',
      '\\',
      'hosts',
      'two',
      'ws',
      '?',
      '#',
      'metrics',
      '%',
      ';',
      ' ',
    ];
    let passed = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const length = random.int(1, 8);
      const target = `/api/${Array.from({ length }, () => random.pick(parts)).join('')}`;
      if (!isApiTarget(target)) continue;
      passed += 1;
      const [path = ''] = target.split('?');
      const decoded = decodeURIComponent(decodeURIComponent(path));
      for (const spelling of [target, decoded]) {
        const { pathname, host } = new URL(spelling, 'http://host');
        if (!pathname.startsWith('/api/') || host !== 'host' || /\/\.{1,2}(\/|$)/.test(pathname)) {
          expect.fail(target);
        }
      }
    }
    expect(passed).toBeGreaterThan(100);
  });
});
