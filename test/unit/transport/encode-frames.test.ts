import type { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as ws from 'ws';
import { encodeFrames } from '../../../server/transport/encode-frames.ts';

// The receiver of `ws`, which its types leave out.
const { Receiver } = ws as unknown as { Receiver: new (options: object) => Writable };

const EDGES = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(...EDGES).map((length) => 'x'.repeat(length)),
  fc.constantFrom(...EDGES).map((length) => 'ö'.repeat(length / 2)),
);

it('TR5 texts written at once are read one by one, with any length and alphabet', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      const receiver = new Receiver({ isServer: false, maxPayload: 0, skipUTF8Validation: false });
      const read: string[] = [];
      receiver.on('message', (data: Buffer, isBinary: boolean) => {
        expect(isBinary).toBe(false);
        read.push(data.toString('utf8'));
      });
      receiver.write(encodeFrames(texts));
      expect(read).toEqual(texts.map((each) => Buffer.from(each).toString('utf8')));
    }),
  );
});
