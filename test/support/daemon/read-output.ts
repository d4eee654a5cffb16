/** Terminal output read as the daemon reads it. */
import { OutputReader, type OutputSigns } from '../../../server/respawn/detection/output-reader.ts';

export const encode = (text: string) => new TextEncoder().encode(text);

export function read(text: string): OutputSigns {
  return readIn([encode(text)]);
}

/** Read after each piece: what was seen on the way, the newest of each kind. */
export function readIn(pieces: readonly Uint8Array[]): OutputSigns {
  const reader = new OutputReader();
  const signs = pieces.map((piece) => {
    reader.push(piece);
    return reader.read();
  });
  return {
    isSubstantial: signs.some(({ isSubstantial }) => isSubstantial),
    work: signs.findLast(({ work }) => work !== null)?.work ?? null,
    completion: signs.findLast(({ completion }) => completion !== null)?.completion ?? null,
    isPrompt: signs.some(({ isPrompt }) => isPrompt),
    tokens: signs.findLast(({ tokens }) => tokens !== null)?.tokens ?? null,
    menu: signs.at(-1)?.menu ?? null,
  };
}

export function everyByte(text: string): Uint8Array[] {
  return Array.from(encode(text), (byte) => Uint8Array.of(byte));
}
