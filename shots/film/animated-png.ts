/** PNG files of one size as frames of one animated PNG. */
import { crc32 } from 'node:zlib';

export interface Frame {
  png: Buffer;
  showMs: number;
}

interface Chunk {
  type: string;
  data: Buffer;
}

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around the data of a chunk. */
const FRAME_BYTES = 12;

/** Plays for ever. Throws when the frames differ in size or format. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('an animation needs a frame');
  const header = headerOf(first.png);
  let sequence = 0;
  const shown = frames.flatMap(({ png, showMs }, index) => {
    if (!headerOf(png).equals(header)) throw new Error(`frame ${index} has another size or format`);
    const control = frameControl(sequence++, header, showMs);
    const pixels = chunksOf(png).filter(({ type }) => type === 'IDAT');
    if (index === 0) return [control, ...pixels];
    return [control, ...pixels.map(({ data }) => frameData(sequence++, data))];
  });
  return Buffer.concat([
    first.png.subarray(0, SIGNATURE_BYTES),
    ...[
      { type: 'IHDR', data: header },
      { type: 'acTL', data: words(frames.length, 0) },
      ...shown,
      { type: 'IEND', data: Buffer.alloc(0) },
    ].map(encoded),
  ]);
}

/** The whole image replaces the last one. */
function frameControl(sequence: number, header: Buffer, showMs: number): Chunk {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(showMs, 0);
  delay.writeUInt16BE(1000, 2);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return { type: 'fcTL', data: Buffer.concat([words(sequence, width, height, 0, 0), delay]) };
}

function frameData(sequence: number, pixels: Buffer): Chunk {
  return { type: 'fdAT', data: Buffer.concat([words(sequence), pixels]) };
}

function headerOf(png: Buffer): Buffer {
  const header = chunksOf(png).find(({ type }) => type === 'IHDR');
  if (header === undefined) throw new Error('not a PNG file');
  return header.data;
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += length + FRAME_BYTES;
  }
  return chunks;
}

function encoded({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([words(data.length), body, words(crc32(body))]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
}
