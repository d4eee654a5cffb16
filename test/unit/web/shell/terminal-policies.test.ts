/** What a page allows a terminal to do, and a person to do to it. */
import { expect, it } from 'vitest';
import { DisplayIntake } from '../../../../web/lib/terminal/display-intake.ts';
import { fittingFontSize } from '../../../../web/lib/terminal/fitting-font.ts';
import { decidePaste, openableAddress } from '../../../../web/lib/terminal/terminal-policies.ts';

const ESC = '\u001b';

it.each([
  ['http://example.org/a?b#c', 'http://example.org/a?b#c'],
  ['HTTPS://EXAMPLE.ORG', 'https://example.org/'],
  ['https://exämple.org/\u202egpj.exe', 'https://xn--exmple-cua.org/%E2%80%AEgpj.exe'],
  ['javascript:alert(1)', null],
  [' java\nscript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['data:text/html,x', null],
  ['vscode://file/etc', null],
  ['https://login.example.org@evil.example/', null],
  [`https://example.org/${'a'.repeat(3_000)}`, null],
  ['example.org', null],
  ['', null],
])('TP6 %j leads to %j', (text, address) => {
  expect(openableAddress(text)).toBe(address);
});

it.each([
  ['echo 1', { kind: 'type', text: 'echo 1' }],
  ['echo 1\n', { kind: 'ask', text: 'echo 1\n', lines: 2 }],
  ['a\r\nb\rc', { kind: 'ask', text: 'a\nb\nc', lines: 3 }],
  [`a${ESC}[201~b\u0003\u009b`, { kind: 'type', text: 'a[201~b' }],
  ['\ttabs stay', { kind: 'type', text: '\ttabs stay' }],
])('TP7 a paste of %j', (clipboard, decision) => {
  expect(decidePaste(clipboard)).toEqual(decision);
});

it('TP7 an empty and a too large paste are refused, with the reason', () => {
  for (const clipboard of ['', ESC, 'a'.repeat(256 * 1024 + 1)]) {
    expect(decidePaste(clipboard)).toMatchObject({
      kind: 'refuse',
      why: expect.any(String) as string,
    });
  }
});

const ROOM = { width: 800, height: 400, cellWidth: 0.6, cellHeight: 1.2 };

it.each([
  [{ cols: 80, rows: 24 }, 13, 13],
  [{ cols: 120, rows: 24 }, 13, 11],
  [{ cols: 80, rows: 30 }, 13, 11],
  [{ cols: 500, rows: 200 }, 13, 9],
])(
  'TP13 a terminal of %j in the size of others takes the font that fits',
  (size, chosen, expected) => {
    expect(fittingFontSize(ROOM, size, chosen)).toBe(expected);
  },
);

/** An emulator that draws only on command. */
function slowEmulator() {
  const drawn: (() => void)[] = [];
  const written: number[] = [];
  let incomplete = 0;
  const intake = new DisplayIntake({
    write: (bytes, done) => {
      written.push(bytes.length);
      drawn.push(done);
    },
    onIncomplete: () => (incomplete += 1),
  });
  const drawAll = () => drawn.splice(0).forEach((done) => done());
  return { intake, written, drawAll, incomplete: () => incomplete };
}

const PIECE = new Uint8Array(64 * 1024);

it('TP9 output an emulator cannot draw in time is dropped, and a new snapshot requested once', () => {
  const { intake, written, drawAll, incomplete } = slowEmulator();
  for (let at = 0; at < 1_000; at += 1) intake.push(PIECE);
  expect(written.length * PIECE.length).toBe(1024 * 1024);
  expect(incomplete()).toBe(0);
  drawAll();
  expect(incomplete()).toBe(1);
  intake.push(PIECE);
  expect(written).toHaveLength(16);
  intake.restart();
  intake.push(PIECE);
  expect(written).toHaveLength(17);
});

it('TP12 output that arrives while drawing is paused is drawn afterwards, in order', () => {
  const { intake, written, drawAll, incomplete } = slowEmulator();
  const draw = (bytes: number) => intake.push(new Uint8Array(bytes));
  draw(1);
  intake.hold();
  draw(2);
  draw(3);
  expect(written).toEqual([1]);
  intake.release();
  draw(4);
  drawAll();
  expect({ written, incomplete: incomplete() }).toEqual({ written: [1, 2, 3, 4], incomplete: 0 });
});

it('TP9 an emulator that keeps up gets every byte, also of a very large piece', () => {
  const { intake, written, drawAll, incomplete } = slowEmulator();
  for (let at = 0; at < 100; at += 1) {
    intake.push(PIECE);
    drawAll();
  }
  intake.push(new Uint8Array(5_000_000));
  drawAll();
  expect([written.length, incomplete()]).toEqual([101, 0]);
});
