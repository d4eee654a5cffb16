/** Which polls of found sessions scan, and what. */
import { expect, it } from 'vitest';
import { ScanPace } from '../../../server/found/scan-pace.ts';

/** One letter for each poll: nothing, what is new, or everything. */
function polled(pace: ScanPace, unsure: readonly boolean[]): string {
  return unsure.map((isUnsure) => (!pace.poll(isUnsure) ? '.' : pace.begin() ? 'A' : 'n')).join('');
}

const polls = (count: number) => Array.from({ length: count }, () => false);

it('FS66 every fifth poll reads what is new, every fifteenth everything', () => {
  expect(polled(new ScanPace(), polls(30))).toBe('....n....n....A....n....n....A');
});

it('FS66 where the system reports no changes every poll reads everything', () => {
  expect(polled(new ScanPace(), [true, true, ...polls(3)])).toBe('AA..n');
});

it('FS66 a requested scan reads everything, once', () => {
  const pace = new ScanPace();
  pace.checkAll();
  expect(pace.begin()).toBe(true);
  expect(pace.begin()).toBe(false);
});
