/** A link in a message may be followed from another site; nothing else may. */
import { expect, it } from 'vitest';
import { gate, gatePolicy } from '../../../server/api/gate.ts';

const policy = gatePolicy(4700, [], false);

function judged(target: string, fetched: Record<string, string>, method = 'GET'): boolean {
  const headers = new Map(
    Object.entries({ host: '127.0.0.1:4700', 'sec-fetch-site': 'cross-site', ...fetched }),
  );
  return gate({ method, target, headers: [...headers], remoteAddress: '' }, policy) === null;
}

it('AL76 only the page that acknowledges opens from a link on another site, as a page', () => {
  const page = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect(judged('/acknowledge', page)).toBe(true);
  expect([
    judged('/acknowledge', {}),
    judged('/acknowledge', { ...page, 'sec-fetch-dest': 'iframe' }),
    judged('/acknowledge', { ...page, 'sec-fetch-mode': 'cors' }),
    judged('/acknowledge', { ...page, origin: 'https://evil.example' }),
    judged('/acknowledge', page, 'POST'),
    judged('/acknowledgement', page),
    judged('/acknowledge/../api/alerts', page),
    judged('/api/alerts/acknowledge', page),
    judged('/', page),
    judged('//acknowledge', page),
  ]).toEqual(Array(10).fill(false));
});
