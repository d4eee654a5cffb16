/** The wait of respawn for a usage limit that sessions share: who tries, and what the others hear of it. */
import { expect, it } from 'vitest';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const limited = (life: RespawnLife) => life.agent('limited', { cause: 'usage' });

it('RS23 after a limit one session tries first, and the others wait for it', () => {
  const life = limited(RespawnLife.plain()).tick(60_000).see({ mayTry: false }).ready();
  expect(life.tick(60_000).submitted).toEqual([]);
  expect(life.known.run?.block?.reason).toBe('quota');
  life.see({ mayTry: true }).tick(31_000);
  expect([life.submitted, life.quota]).toEqual([['submit update'], ['tried']]);
  expect(life.deliver().working().quota).toEqual(['tried', 'opened']);
});

it('RS23 a try that meets the limit again closes it for all', () => {
  const life = limited(RespawnLife.plain()).ready().tick(4_000).deliver();
  expect(limited(limited(life)).quota).toEqual(['tried', 'closed']);
});

const trying = () => limited(RespawnLife.plain()).ready().tick(4_000);

it.each<[string, (life: RespawnLife) => unknown]>([
  ['is not delivered', (life) => life.deliver('failed')],
  ['has an unknown delivery', (life) => life.deliver('unknown')],
  ['meets an agent that exits', (life) => life.agent('exited')],
  ['meets an agent that exits at once', (life) => life.deliver().agent('exited')],
  ['ends in a question', (life) => life.deliver().agent('waiting').tick(600_000)],
  ['is paused', (life) => life.deliver().pause()],
  ['shows no work', (life) => life.deliver().tick(3_600_000)],
])('RS23 a try that %s lets another one try, and is made again', (_how, happen) => {
  const life = trying();
  expect(life.quota).toEqual(['tried']);
  happen(life);
  expect([life.quota.slice(0, 2), life.known.run?.quota]).toEqual([['tried', 'left'], 'limited']);
});

it('RS23 a try after one that was not delivered waits for its turn, and reports', () => {
  const life = trying().deliver('failed').see({ mayTry: false });
  expect(life.working().quota).toEqual(['tried', 'left', 'opened']);
  const other = trying().deliver('failed').see({ mayTry: false }).tick(600_000);
  expect(other.submitted).toHaveLength(1);
  other.see({ mayTry: true }).tick(60_000);
  expect([other.submitted.length, other.quota]).toEqual([2, ['tried', 'left', 'tried']]);
});

it('RS9 a limit in the middle of a cycle holds its next step', () => {
  const life = RespawnLife.plain().working().ready().tick(4_000).deliver().working();
  limited(life).tick(18_000_000);
  expect([life.name, life.known.run?.block?.reason]).toEqual(['waiting_update', 'quota']);
  expect(life.working().ready().tick(10_000).name).toBe('sending_clear');
});

it('RS23 a stop ends its part in the wait', () => {
  expect(limited(RespawnLife.plain()).stop().quota).toEqual(['left']);
  expect(trying().stop().quota).toEqual(['tried', 'left']);
});

it('RS21 RS22 a limit says until when, and after its reset a cycle begins, one session first', () => {
  const until = '2026-01-01T05:00:00.000Z';
  const life = RespawnLife.plain().agent('limited', { cause: 'five_hour', until });
  life.see({ mayTry: false }).tick(5 * 3_600_000 + 119_999);
  expect(life.known.run?.block).toMatchObject({ reason: 'quota', until });
  life.tick(60_000);
  expect(life.known.run?.block).toMatchObject({ reason: 'quota', until: null });
  expect(life.submitted).toEqual([]);
  life.see({ mayTry: true }).tick(60_000);
  expect([life.submitted, life.quota]).toEqual([['submit update'], ['tried']]);
  // Its text is on its way: what still shows is the limit of before.
  expect(life.see({ mayTry: false }).quota).toEqual(['tried']);
  life.agent('limited', { cause: 'five_hour', until: '2026-01-01T10:00:00.000Z' });
  expect(life.quota).toEqual(['tried', 'closed']);
});
