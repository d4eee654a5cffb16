/** The end of what a program wrote, in bounded memory. */
export class OutputTail {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // Put together seldom: each byte is copied once or twice, however much comes.
    if (this.#size > 2 * this.#maxBytes + 65_536) this.#chunks = [this.#joined()];
  }

  /** The last bytes as UTF-8; a character that was cut at the beginning is left out. */
  text(): string {
    const bytes = this.#joined();
    let start = 0;
    if (this.#size > bytes.length) while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return bytes.subarray(start).toString('utf8');
  }

  #joined(): Buffer {
    return Buffer.concat(this.#chunks).subarray(-this.#maxBytes);
  }
}
