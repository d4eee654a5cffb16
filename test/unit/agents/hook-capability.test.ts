import { expect, it } from 'vitest';
import { HookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';

const RUN = { session: 'web_1-a', runId: '0123456789abcdef0123' };
const ours = new HookCapabilities('k'.repeat(43));

it('HK6 a capability identifies its run, after a restart with the same key too', () => {
  const later = new HookCapabilities('k'.repeat(43));
  expect(later.verify(ours.issue(RUN))).toEqual(RUN);
});

it('HK24 a capability of another key is refused', () => {
  expect(ours.verify(new HookCapabilities('j'.repeat(43)).issue(RUN))).toBeNull();
});

it('HK24 no change of a single character is accepted', () => {
  const text = ours.issue(RUN);
  const alphabet = 'AZaz09-_.~';
  const accepted = Array.from(text).flatMap((character, index) =>
    Array.from(alphabet)
      .filter((other) => other !== character)
      .map((other) => text.slice(0, index) + other + text.slice(index + 1))
      .filter((changed) => ours.verify(changed) !== null),
  );
  expect(accepted).toEqual([]);
});

it.each([
  '',
  '.',
  '..',
  'web.r1',
  'web.r1.',
  `web.r1.${'A'.repeat(42)}`,
  `web.r1.${'A'.repeat(44)}`,
  `web.r1.${'='.repeat(43)}`,
  `${'x'.repeat(33)}.r1.${'A'.repeat(43)}`,
  'x'.repeat(1_000_000),
])('HK24 %j is not a capability', (text) => {
  expect(ours.verify(text)).toBeNull();
});

it('HK24 parts of two capabilities do not make a third', () => {
  const [, , signature = ''] = ours.issue({ session: 'a', runId: 'b1' }).split('.');
  expect([ours.verify(`a.b2.${signature}`), ours.verify(`b.b1.${signature}`)]).toEqual([
    null,
    null,
  ]);
});
