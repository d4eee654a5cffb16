/** What the bytes of a terminal show does not depend on how they are cut and coloured. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OutputReader } from '../../../server/respawn/detection/output-reader.ts';
import { encode, everyByte, read, readIn } from '../../support/daemon/read-output.ts';
import { recordedScreen } from '../../support/terminals/recorded-screens.ts';

const SEQUENCES = [
  'working-03-thinking-5s',
  'idle-14-done-over-1min',
  'waiting-01-bash-permission',
  'other-codex-04-done',
  'idle-15-spoof-fullscreen',
  'narrow-05-working-40x15',
].map((name) => recordedScreen(name).rows.join('\r\n'));

/** Colours between any two characters, as programs put them. */
function coloured(text: string, places: readonly number[]): string {
  const letters = Array.from(text);
  for (const place of places) {
    const at = place % letters.length;
    letters[at] = `\x1b[38;5;${place % 256}m${letters[at] ?? ''}\x1b[0m`;
  }
  return letters.join('');
}

it.each(SEQUENCES.map((text, number) => [number, text] as const))(
  'RS36 sequence %i is read the same cut at every byte',
  (_, text) => {
    const whole = read(text);
    const bytes = readIn(everyByte(text));
    // On the way more is seen than at the end: earlier signs that later ones replace.
    expect(bytes.completion ?? bytes.work).toEqual(
      whole.completion === null ? bytes.work : whole.completion,
    );
    expect(bytes).toMatchObject({ tokens: whole.tokens, menu: whole.menu });
    const made = new OutputReader();
    for (const byte of everyByte(text)) made.push(byte);
    expect(made.read()).toEqual(whole);
  },
);

it('RS36 any cuts and any colours change nothing of what is read at the end', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SEQUENCES),
      fc.array(fc.nat(10_000), { maxLength: 20 }),
      fc.array(fc.nat(20_000), { maxLength: 20 }),
      (text, places, cuts) => {
        const dressed = encode(coloured(text, places));
        const made = new OutputReader();
        const ends = cuts.map((cut) => cut % dressed.length).sort((a, b) => a - b);
        let from = 0;
        for (const end of [...ends, dressed.length]) {
          made.push(dressed.subarray(from, end));
          from = end;
        }
        expect(made.read()).toEqual(read(text));
      },
    ),
    { seed: 20261122, numRuns: 300 },
  );
});

it('RS36 any bytes are read without an error, the same in one piece or in many', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.integer({ min: 1, max: 50 }),
      (bytes, size) => {
        const whole = new OutputReader();
        whole.push(bytes);
        const cut = new OutputReader();
        for (let at = 0; at < bytes.length; at += size) cut.push(bytes.subarray(at, at + size));
        expect(cut.read()).toEqual(whole.read());
      },
    ),
    { seed: 20261122, numRuns: 500 },
  );
});
