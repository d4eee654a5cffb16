/** Which failures of a run count as the same, and when it counts as stuck. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failureSignature, stuckReason } from '../../../server/runs/machine/failure-signature.ts';

function signature(output: string, more: object = {}): string {
  const failed = { checks: 'tests_failed', name: 'npm test', exit_code: 1 } as const;
  return failureSignature({ ...failed, output, ...more });
}

it.each([
  ['5 failed in 12ms', '17 failed in 1,204.5ms'],
  ['done in 900ms', 'done in 1.2s'],
  ['done in 1m 3s.', 'done in 58 s.'],
  ['(3 seconds)', '(1 second)'],
  ['Duration  2.31s (tests 9ms)', 'Duration 10.02s (tests 110ms)'],
  ['at 2025-11-23T02:13:05Z: no', 'at 2026-01-02T12:00:00.123+01:00: no'],
  ['2025-11-23 02:13:05 x', '2026-01-02 12:00:00,512 x'],
  ['Sun, 23 Nov 2025 02:13:05 GMT', 'Mon, 1 Dec 2025 12:00:00 GMT'],
  ['Nov 23 02:13:05 host', 'Dec 1 12:00:00 host'],
  ['[23/Nov/2025:02:13:05]', '[1/Dec/2025:12:00:00]'],
  ['Start at  2:13:05 PM', 'Start at 11:02:00 AM'],
  ['commit 3fa9bc1', 'commit 1234567'],
  ['commit deadbeefcafe', 'commit 3fa9bc1d00aa'],
  ['id_3fa9bc12 gone', 'id_99887766 gone'],
  ['object 0x7ffe12', 'object 0xA'],
  ['123e4567-e89b-12d3-a456-426614174000', 'ffffffff-eeee-4ddd-8ccc-bbbbbbbbbbbb'],
  ['open /tmp/vitest-aB3xYz/a.ts', 'open /tmp/vitest-QQQQQQ/a.ts'],
  ['open /tmp/user/1000/abcd', 'open /tmp/user/0/efgh'],
  ['/private/var/folders/zz/a_b/T/x-Ab/src', '/private/var/folders/yy/c/T/y/src'],
  ['"/var/tmp/x.abc": no', '"/var/tmp/y": no'],
  ['/home/me/.l/checkouts/c-aB3xYz/work/a.ts', '/home/me/.l/checkouts/c-QQQQQQ/work/a.ts'],
  ['a.ts:12:5 - error', 'a.ts:9:34 - error'],
  ['a.ts:12 - error', 'a.ts:9:34 - error'],
  ['\u001b[31mfail\u001b[39m a', 'fail a'],
  ['\u001b[2K\u001b[1Gfail', '\u001b[38;2;1;2;3mfail'],
  ['  9 ms  a\n\n\nb  ', '110 ms a\r\nb\n'],
  ['1.5e-7 off', '3 off'],
])('RN56 %j and %j are the same failure', (one, other) => {
  expect(signature(one)).toBe(signature(other));
});

it.each([
  ['expected a', 'expected b'],
  ['FAIL one\nFAIL two', 'FAIL two\nFAIL one'],
  ['FAIL one', 'FAIL one\nFAIL two'],
  ['open /tmp/x/a.ts', 'open /tmp/x/b.ts'],
  ['open src/tmp/one.ts', 'open src/tmp/two.ts'],
  ['Marker 5', 'Decoder 5'],
  ['facade broken', 'decade broken'],
  ['5 m', '5 x'],
  ['', 'x'],
])('RN56 %j and %j are different failures', (one, other) => {
  expect(signature(one)).not.toBe(signature(other));
});

it('RN56 the check and its exit code count, and a review is no check', () => {
  const all = [
    signature('x'),
    signature('x', { name: 'npm run lint' }),
    signature('x', { exit_code: 2 }),
    signature('x', { exit_code: null }),
    signature('x', { checks: 'gate_failed' }),
    failureSignature({ findings: 'x' }),
    failureSignature({ findings: 'y' }),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(failureSignature({ findings: 'a.ts:3 is wrong' })).toBe(
    failureSignature({ findings: 'a.ts:17 is wrong' }),
  );
  expect(Math.max(...all.map((one) => one.length))).toBeLessThan(40);
});

const hex = fc
  .uint8Array({ minLength: 6, maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const duration = fc
  .tuple(fc.nat(), fc.constantFrom('ms', 's', ' seconds', 'm', 'µs', 'ns', 'h'))
  .map(([count, unit]) => `${count / 10}${unit}`);
const moment = fc
  .date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const temporary = fc
  .tuple(fc.constantFrom('/tmp/', '/var/tmp/', '/dev/shm/'), fc.stringMatching(/^[\w.-]{1,12}$/))
  .map((parts) => parts.join(''));
const colour = fc.nat(255).map((code) => `\u001b[38;5;${code}m`);
const VARYING = [fc.nat().map(String), hex, duration, moment, temporary, colour] as const;
const word = fc.constantFrom(
  'Error:',
  'expected',
  'cache.ts',
  'FAIL',
  '×',
  'to be true',
  'TypeError',
);

/** A line of words with places for what varies. */
const line = fc.array(fc.oneof(word, fc.constantFrom(0, 1, 2, 3, 4, 5)), { maxLength: 6 });
const output = fc.array(line, { maxLength: 12 });
const values = fc.tuple(...VARYING);

function filled(
  lines: readonly (readonly (string | number)[])[],
  with_: readonly string[],
): string {
  return lines
    .map((parts) => parts.map((part) => (typeof part === 'string' ? part : with_[part])).join(' '))
    .join('\n');
}

it('RN56 B4-7 what varies from one time to the next does not make a failure another one', () => {
  fc.assert(
    fc.property(output, values, values, (lines, one, other) => {
      expect(signature(filled(lines, one))).toBe(signature(filled(lines, other)));
    }),
    { numRuns: 1_000 },
  );
});

it('RN56 B4-7 any other word does', () => {
  fc.assert(
    fc.property(output, output, values, (one, other, given) => {
      const words = (lines: (string | number)[][]) =>
        lines
          // An id of digits alone reads as a number, and colours do not count.
          .map((parts) => parts.filter((part) => part !== 5).map((part) => (part === 1 ? 0 : part)))
          .map((parts) => parts.join(' '))
          .filter(Boolean)
          .join('\n');
      fc.pre(words(one) !== words(other));
      // Durations side by side read as one, as in `1m 3s`.
      fc.pre(![...one, ...other].some((parts) => parts.filter((part) => part === 2).length > 1));
      expect(signature(filled(one, given))).not.toBe(signature(filled(other, given)));
    }),
    { numRuns: 1_000 },
  );
});

it('RN56 where a long output was cut makes no difference', () => {
  const row = (n: number) => `test ${n} of the shop works as described in its title`;
  const long = Array.from({ length: 600 }, (_, n) => row(n)).join('\n');
  const failure = (text: string) => signature(`${text}\nFAIL the cache`.slice(-20_000));
  expect(failure(long)).toBe(failure(`${row(1)}\n${long.replaceAll(' of ', ' of  ')}`));
  expect(failure(long)).not.toBe(failure(`${long}\nFAIL the till`));
});

it('RN56 hostile output has a signature', () => {
  for (const piece of [
    '1',
    '1.',
    '1,',
    '1 m ',
    'a',
    'a1',
    '/tmp/',
    ' ',
    ':',
    '\u001b[',
    '/tmp/user/1',
  ]) {
    expect(signature(piece.repeat(20_000))).toMatch(/^tests_failed [0-9a-f]{16}$/);
  }
});

it.each([
  ['', 0, null],
  ['AA', 0, null],
  ['AAA', 0, 'same_failure'],
  ['BBAAA', 1, 'same_failure'],
  ['ABABA', 0, 'alternating'],
  ['ABAB', 0, null],
  ['AABA', 0, 'alternating'],
  ['ABCBA', 0, null],
  ['ABCABCA', 0, 'alternating'],
  ['AAAB', 0, null],
  ['ABAB', 1, null],
  ['ABAB', 2, 'no_change'],
  ['', 2, 'no_change'],
  ['AAA', 5, 'same_failure'],
] as const)(
  'RN57 B4-7 after the failures %j and %i unchanged rounds: %j',
  (all, unchanged, why) => {
    expect(stuckReason(Array.from(all), unchanged, 3)).toBe(why);
  },
);

it('RN57 B4-7 no more than the limit of each failure is ever tried', () => {
  const failures = fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(failures, fc.integer({ min: 2, max: 10 }), (all, limit) => {
      const end = all.findIndex((_, n) => stuckReason(all.slice(0, n + 1), 0, limit) !== null) + 1;
      const seen = all.slice(0, end);
      const counts = ['A', 'B', 'C'].map((name) => seen.filter((one) => one === name).length);
      // It ends at the first failure that reaches its limit, not earlier.
      expect(Math.max(...counts)).toBe(limit);
      expect(counts.filter((count) => count === limit)).toHaveLength(1);
      const isRow = seen.slice(-limit).every((one) => one === seen.at(-1));
      expect(stuckReason(seen, 0, limit)).toBe(isRow ? 'same_failure' : 'alternating');
    }),
  );
});
