/** An emulator answers nothing that is written to it: an answer would be typed. */
import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTyped, silenceEmulator } from '../../../../web/lib/terminal/silence-emulator.ts';

const ESC = '\u001b';
const ST = `${ESC}\\`;

/** What an emulator answers when a program writes this. */
async function answersTo(text: string, isSilenced = true): Promise<string> {
  const emulator = new headless.Terminal({ allowProposedApi: true });
  if (isSilenced) silenceEmulator(emulator.parser);
  let answers = '';
  emulator.onData((data) => (answers += data));
  emulator.onBinary((data) => (answers += data));
  await new Promise<void>((drawn) => emulator.write(text, drawn));
  emulator.dispose();
  return answers;
}

/** Every question that the emulator is known to answer unless silenced. */
const ANSWERED = [
  '[c',
  '[0c',
  '[>c',
  '[>0c',
  '[5n',
  '[6n',
  '[?6n',
  '[4$p',
  '[?25$p',
  '[?2026$p',
  `P$qm${ST}`,
  `P$q"p${ST}`,
  `P$qr${ST}`,
].map((body) => ESC + body);

const OTHERS = [
  '[=c',
  '[18t',
  '[14t',
  '[16t',
  '[21t',
  '[x',
  '[>q',
  '[?u',
  '[?996n',
  `]10;?${ST}`,
  `]11;?${ST}`,
  `]12;?${ST}`,
  `]4;1;?${ST}`,
  `]52;c;?${ST}`,
  `P+q544e${ST}`,
].map((body) => ESC + body);

it.each(ANSWERED)('TP8 %j would be answered and is not', async (question) => {
  expect(await answersTo(question, false)).not.toBe('');
  expect(await answersTo(question)).toBe('');
});

it.each(OTHERS)('TP8 %j is not answered', async (question) => {
  expect(await answersTo(question)).toBe('');
});

it('TP8 reports of the focus are not typed; keys are', () => {
  expect([`${ESC}[I`, `${ESC}[O`, `${ESC}[A`, 'a', '\u0003'].map(isTyped)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

it('TP8 no output is ever answered', async () => {
  const piece = fc.oneof(
    fc.constantFrom(...ANSWERED, ...OTHERS),
    fc
      .tuple(
        fc.constantFrom('', '?', '>', '=', '<'),
        fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 4 }),
        fc.constantFrom('', '$', ' ', '!', '"', '*'),
        fc.integer({ min: 0x40, max: 0x7e }).map((code) => String.fromCharCode(code)),
      )
      .map(
        ([prefix, numbers, between, final]) =>
          `${ESC}[${prefix}${numbers.join(';')}${between}${final}`,
      ),
    fc
      .tuple(fc.integer({ min: 0, max: 1400 }), fc.constantFrom('?', 'c;?', '1;?', 'x'))
      .map(([number, body]) => `${ESC}]${number};${body}${ST}`),
    fc.string({ maxLength: 10, unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
      expect(await answersTo(pieces.join(''))).toBe('');
    }),
    { numRuns: 300 },
  );
});
