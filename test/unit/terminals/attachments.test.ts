/** People at one terminal: who types, what each receives, and that a slow one delays no other. */
import { expect, it } from 'vitest';
import { screenRedraw } from '../../../server/sessions/showing/screen-redraw.ts';
import { Random, seeded } from '../../support/house/random.ts';
import { AttachRig, type TestViewer } from '../../support/terminals/attach-rig.ts';
import { until } from '../../support/house/until.ts';

it('LT5 the first viewer to request control gets it, the second only watches', async () => {
  const rig = new AttachRig();
  const first = await rig.attach('ann');
  const second = await rig.attach('bob');
  const third = await rig.attach('cy', { control: false });
  expect([first, second, third].map(({ controls }) => controls)).toEqual([true, false, false]);
  expect(first.attachment.type(Buffer.from('a'))).toBe('typed');
  expect(second.attachment.type(Buffer.from('b'))).toBe('not_controller');
  expect(third.attachment.type(Buffer.from('c'))).toBe('not_controller');
  expect(rig.terminal.text).toBe('a');
});

it('LT5 control can be taken over, and every viewer is notified by whom', async () => {
  const rig = new AttachRig();
  const first = await rig.attach('ann');
  const watcher = await rig.attach('cy', { control: false });
  const second = await rig.attach('bob', { take: true });
  expect([first.controls, second.controls]).toEqual([false, true]);
  const bobControls = { control: false, by: 'bob' };
  expect([first.controlStates, watcher.controlStates]).toEqual([
    [bobControls],
    [{ control: false, by: 'ann' }, bobControls],
  ]);
  expect(first.attachment.type(Buffer.from('a'))).toBe('not_controller');
  second.attachment.type(Buffer.from('b'));
  expect(rig.terminal.text).toBe('b');
  second.attachment.detach();
  expect(first.controlStates.at(-1)).toEqual({ control: false, by: null });
  const third = await rig.attach('dee');
  expect(third.controls).toBe(true);
});

it('LT12 only the size of the viewer who types counts, and all are redrawn in it', async () => {
  const rig = new AttachRig();
  await rig.terminal.write('hello');
  const first = await rig.attach('ann', { cols: 60, rows: 12 });
  const second = await rig.attach('bob', { cols: 30, rows: 6 });
  expect([first.size, second.size]).toEqual([
    { cols: 60, rows: 12 },
    { cols: 60, rows: 12 },
  ]);
  expect(second.attachment.resize({ cols: 30, rows: 6 })).toBe('not_controller');
  expect(first.attachment.resize({ cols: 50, rows: 9 })).toBe('typed');
  await rig.settle();
  await until('the new size', () => second.size?.cols === 50);
  expect(await second.shows()).toEqual(rig.shown());
});

it('LT6 nothing typed reaches a terminal that took the place of the attached one', async () => {
  const rig = new AttachRig();
  const viewer = await rig.attach('ann');
  rig.replace();
  expect(viewer.attachment.type(Buffer.from('rm -rf /\r'))).toBe('not_attached');
  expect({ typed: rig.terminal.text, why: viewer.ended }).toEqual({
    typed: '',
    why: 'terminal_replaced',
  });
  expect(viewer.attachment.type(Buffer.from('x'))).toBe('not_attached');
});

it('SE22 who attaches while the terminal is being opened sees it and types into it', async () => {
  const rig = new AttachRig();
  const isOpen = rig.open();
  const viewer = rig.ask('ann');
  const second = rig.ask('bob');
  isOpen();
  await rig.terminal.write('hello');
  await rig.settle();
  expect(viewer.attachment.type(Buffer.from('x'))).toBe('typed');
  expect([viewer.ended, second.ended, rig.terminal.text]).toEqual([null, null, 'x']);
});

it('LT13 an attachment ends with its terminal, and says so', async () => {
  const rig = new AttachRig();
  const [first, second] = [await rig.attach('ann'), await rig.attach('bob')];
  rig.terminal.end();
  expect([first.ended, second.ended]).toEqual(['terminal_gone', 'terminal_gone']);
  expect(rig.clock.pending).toBe(0);
});

it('LT6 the time of the last key is known, counting only keys that were typed', async () => {
  const rig = new AttachRig();
  const [first, second] = [await rig.attach('ann'), await rig.attach('bob')];
  rig.clock.advance(5_000);
  second.attachment.type(Buffer.from('x'));
  expect(rig.attachments.sinceTypedMs('web')).toBe(null);
  const at = rig.clock.monotonic();
  first.attachment.type(Buffer.from('x'));
  rig.clock.advance(5_000);
  expect(rig.attachments.sinceTypedMs('web')).toBe(rig.clock.monotonic() - at);
});

it('LT4 the output of one tick is sent at once, what follows within 16 ms as one', async () => {
  const rig = new AttachRig();
  const viewer = await rig.attach('ann');
  rig.clock.advance(1_000);
  const before = viewer.writes;
  await rig.terminal.write('a');
  expect(viewer.writes).toBe(before + 1);
  for (const letter of 'bcdef') await rig.terminal.write(letter);
  expect(viewer.writes).toBe(before + 1);
  rig.clock.advance(16);
  expect(viewer.writes).toBe(before + 2);
  expect(await viewer.shows()).toEqual(rig.shown());
});

it('LT10 a viewer that does not read its bytes misses them, is redrawn, and delays no other', async () => {
  const rig = new AttachRig();
  const [slow, quick] = [await rig.attach('ann'), await rig.attach('bob')];
  slow.stalled = true;
  for (let row = 0; row < 400; row += 1) {
    await rig.terminal.write(`${row} ${'x'.repeat(2_000)}\r\n`);
    rig.clock.advance(20);
  }
  expect(slow.bufferedBytes).toBeLessThan(256 * 1024 + 64 * 1024);
  expect(await quick.shows()).toEqual(rig.shown());
  expect(quick.bytesTotal).toBeGreaterThan(800_000);
  slow.drain();
  await rig.settle();
  expect(await slow.shows()).toEqual(rig.shown());
});

it('LT4 bytes that wait to be sent when a viewer attaches do not reach it twice', async () => {
  const rig = new AttachRig();
  const first = await rig.attach('ann');
  rig.clock.advance(1_000);
  await rig.terminal.write('a');
  await rig.terminal.write('b');
  const second = await rig.attach('bob');
  await rig.settle();
  expect(rig.shown().lines[0]).toBe('ab');
  for (const viewer of [first, second]) expect(await viewer.shows()).toEqual(rig.shown());
});

it('LT11 a redraw for all makes up for bytes that a tap left out', async () => {
  const rig = new AttachRig();
  const viewers = [await rig.attach('ann'), await rig.attach('bob')];
  await rig.terminal.flood('\u001b[2J\u001b[3;5Hflooded');
  await rig.settle();
  for (const viewer of viewers) expect(await viewer.shows()).toEqual(rig.shown());
});

it('LT11 a viewer attached on the alternate screen sees the other one when the program leaves it', async () => {
  const rig = new AttachRig();
  await rig.terminal.write('shell\r\n$ vi\u001b[?1049h\u001b[Hfull screen');
  const viewer = await rig.attach('ann');
  expect(await viewer.shows()).toEqual(rig.shown());
  await rig.terminal.write('\u001b[?1049l');
  await rig.settle();
  expect(rig.shown().lines[0]).toBe('shell');
  expect(await viewer.shows()).toEqual(rig.shown());
});

it('LT11 after any output, sizes and stalls every viewer ends with exactly the host’s screen', async () => {
  for (let round = 0; round < 60; round += 1) await seeded(useAtRandom);
});

it('LT11 every viewer ends with the host’s screen when bytes follow the snapshot that two resizes asked for', async () => {
  await useAtRandom(new Random(166054490));
});

async function useAtRandom(random: Random): Promise<void> {
  const rig = new AttachRig();
  const viewers: TestViewer[] = [await rig.attach('ann')];
  for (let steps = random.int(1, 25); steps > 0; steps -= 1) await chance(rig, viewers, random);
  for (const viewer of viewers) viewer.drain();
  await rig.settle();
  for (const viewer of viewers) expect(await viewer.shows()).toEqual(rig.shown());
}

async function chance(rig: AttachRig, viewers: TestViewer[], random: Random): Promise<void> {
  const dice = random.next();
  const viewer = random.pick(viewers);
  if (dice < 0.57) await rig.terminal.write(toggle(rig, random) + output(random));
  else if (dice < 0.6) await rig.terminal.write('\u001b[H'.repeat(90_000));
  else if (dice < 0.62) await rig.terminal.flood(output(random));
  else if (dice < 0.66) {
    rig.resizeSoon(random.int(20, 70), random.int(5, 20));
  } else if (dice < 0.8) viewer.stalled = true;
  else if (dice < 0.88) viewer.drain();
  else if (dice < 0.92 && viewers.length < 4)
    viewers.push(await rig.attach('more', { control: false }));
  else rig.clock.advance(random.int(1, 200));
}

/** Programs enter the alternate screen and leave it again. */
function toggle(rig: AttachRig, random: Random): string {
  if (!random.chance(0.3)) return '';
  return rig.shown().alternate ? '\u001b[?1049l' : '\u001b[?1049h\u001b[2J\u001b[H';
}

/** Complete sequences that leave only text, cursor and screen behind: the content of a snapshot. */
function output(random: Random): string {
  const parts: string[] = [];
  for (let count = random.int(1, 12); count > 0; count -= 1) {
    parts.push(
      random.pick([
        () => 'word '.repeat(random.int(1, 30)),
        () => `\u001b[${random.int(31, 37)};${random.int(40, 47)}mcolour\u001b[0m`,
        () => `\u001b[38;5;${random.int(0, 255)}m\u001b[1;4mbold\u001b[0m`,
        () => `\u001b[${random.int(1, 25)};${random.int(1, 80)}H`,
        () => '\r\n'.repeat(random.int(1, 15)),
        () => `\u001b[${random.pick([0, 2])}J`,
        () => `\u001b[${random.int(0, 2)}K`,
        () => 'wide 漢字 é ✓ 😀',
        () => '\t\b\b',
        () => 'x'.repeat(random.int(100, 8_000)),
      ])(),
    );
  }
  return parts.join('');
}

it('LT4 output after a redraw is drawn with the attributes in effect', () => {
  const screen = { cols: 4, rows: 1, cursorVisible: true, alternate: false, lines: ['ab'] };
  const redraw = screenRedraw({ ...screen, cursor: [0, 2], pen: '\u001b[31m' });
  expect(redraw.endsWith('\u001b[31m')).toBe(true);
});

it('LT13 a snapshot that fails is retried, and the third failure ends the attachment', async () => {
  const rig = new AttachRig();
  rig.terminal.refusal = new Error('busy');
  const viewer = rig.ask('ann');
  await turns();
  rig.terminal.refusal = null;
  rig.clock.advance(250);
  await until('the first snapshot', () => viewer.writes > 0);
  const other = new AttachRig();
  other.terminal.refusal = new Error('broken');
  const refused = other.ask('bob');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await turns();
    other.clock.advance(250);
  }
  expect({ why: refused.ended, timers: other.clock.pending }).toEqual({
    why: 'terminal_failed',
    timers: 0,
  });
});

async function turns(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

it('LT4 LT11 a redraw shows the snapshot in an emulator that was in any state', async () => {
  const rig = new AttachRig();
  await rig.terminal.write('one\r\n\u001b[31mtwo\u001b[0m\r\n');
  const viewer = await rig.attach(
    'ann',
    {},
    '\u001b[31;7m\u001b[3;5r\u001b[?6h\u001b(0\u001b[4h\u001b[?1049hgarbage',
  );
  expect(await viewer.shows()).toEqual(rig.shown());
});
