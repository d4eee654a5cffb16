/** The first line of a stream of bytes, and no more of it than a line may have. */
export class FirstLine {
  readonly #maxBytes: number;
  #bytes = Buffer.alloc(0);

  /** `maxBytes` is without the newline. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The line without its newline, once it is whole. What follows it is dropped. */
  add(chunk: Buffer): { line: string } | 'too_long' | null {
    const length = chunk.indexOf('\n');
    const part = length === -1 ? chunk : chunk.subarray(0, length);
    if (this.#bytes.length + part.length > this.#maxBytes) return 'too_long';
    this.#bytes = Buffer.concat([this.#bytes, part]);
    return length === -1 ? null : { line: this.text };
  }

  /** What came so far. */
  get text(): string {
    return this.#bytes.toString('utf8');
  }
}
