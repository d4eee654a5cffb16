import { describe, expect, it } from 'vitest';
import { ControlLines, type ControlMessage } from '../../../server/terminals/control-lines.ts';
import { type Random, seeded } from '../../support/house/random.ts';

function read(lines: ControlLines, text: string | Buffer): ControlMessage[] {
  return [...lines.push(Buffer.from(text))];
}

/** As tmux writes the bytes of a program. */
function escaped(bytes: Buffer): Buffer {
  return Buffer.concat(
    [...bytes].map((byte) =>
      byte < 0x20 || byte === 0x5c
        ? Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`)
        : Buffer.from([byte]),
    ),
  );
}

function output(random: Random, bytes: Buffer): Buffer {
  const head = random.chance(0.5) ? '%output %0 ' : '%extended-output %0 12 : ';
  return Buffer.concat([Buffer.from(head), escaped(bytes), Buffer.from('\n')]);
}

describe('control lines', () => {
  it('SE9 reads replies, notifications and what a program wrote', () => {
    const text =
      '%begin 1 6 0\n%end 1 6 0\n%begin 1 7 1\nrow one\n%output not one\n\nlast\n%end 1 7 1\n%session-changed $0 main\n' +
      '%begin 1 8 1\nno such thing\n%error 1 8 1\n%pause %0\n%continue %0\n' +
      '%output %0 a\\033[1m\\134\\015\\012\n%extended-output %3 17 : b : c\nnoise\n%exit\n';
    expect(read(new ControlLines(), text)).toEqual([
      { kind: 'reply', ok: true, asked: false, text: '' },
      { kind: 'reply', ok: true, asked: true, text: 'row one\n%output not one\n\nlast' },
      { kind: 'other', name: '%session-changed' },
      { kind: 'reply', ok: false, asked: true, text: 'no such thing' },
      { kind: 'pause', pane: '%0' },
      { kind: 'continue', pane: '%0' },
      { kind: 'output', pane: '%0', bytes: new Uint8Array(Buffer.from('a\x1b[1m\\\r\n')) },
      { kind: 'output', pane: '%3', bytes: new Uint8Array(Buffer.from('b : c')) },
      { kind: 'exit' },
    ]);
  });

  it('SE9 ends a reply exactly where tmux ended it', () => {
    const text = '%begin 1 7 1\n%end 1 6 1\n%end 1 7 1 \n%error 1 7 0\n%end 1 7 1\n';
    expect(read(new ControlLines(), text)).toEqual([
      { kind: 'reply', ok: true, asked: true, text: '%end 1 6 1\n%end 1 7 1 \n%error 1 7 0' },
    ]);
  });

  it('SE9 gives every byte of a program whole, however the stream is split', async () => {
    await seeded((random) => {
      for (let round = 0; round < 300; round += 1) {
        const pieces = Array.from({ length: random.int(1, 8) }, () =>
          Buffer.from(Array.from({ length: random.int(0, 40) }, () => random.int(0, 255))),
        );
        const stream = Buffer.concat(pieces.map((piece) => output(random, piece)));
        // A line end is the one byte that tmux never leaves as it is.
        const lines = new ControlLines();
        const heard: Buffer[] = [];
        for (let from = 0; from < stream.length;) {
          const to = from + random.int(1, 9);
          for (const message of lines.push(stream.subarray(from, to))) {
            if (message.kind === 'output') heard.push(Buffer.from(message.bytes));
          }
          from = to;
        }
        expect(Buffer.concat(heard).equals(Buffer.concat(pieces))).toBe(true);
      }
    });
  });

  it('SE9 bounds a line without an end', () => {
    const lines = new ControlLines();
    for (let count = 0; count < 64; count += 1) {
      expect(read(lines, Buffer.alloc(1024 * 1024, 'x'))).toEqual([]);
    }
    expect(read(lines, '\n%exit\n')).toEqual([{ kind: 'exit' }]);
  });
});
