/**
 * Parses the protocol of `tmux -C`: replies to commands between `%begin` and `%end`, and
 * notifications. Binary safe, incremental, linear.
 */

/** The answer to one command, without its last line end. */
export interface ControlReply {
  kind: 'reply';
  ok: boolean;
  /** The client read the command from its input, rather than being started with it. */
  asked: boolean;
  text: string;
}

export type ControlMessage =
  | ControlReply
  | { kind: 'output'; pane: string; bytes: Uint8Array }
  | { kind: 'pause'; pane: string }
  | { kind: 'continue'; pane: string }
  | { kind: 'exit' }
  | { kind: 'other'; name: string };

const LF = 0x0a;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
/** Starts the data of `%extended-output %0 12 : …`; fields added later would come before it. */
const DATA_MARK = Buffer.from(' : ');
const OUTPUT = Buffer.from('%output ');
const EXTENDED_OUTPUT = Buffer.from('%extended-output ');
/** Enough for a full history page of the widest terminal with colours; a longer line is cut. */
const MAX_LINE_BYTES = 1024 * 1024;
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

interface OpenReply {
  /** Time, number and flags of the command: its end repeats them. */
  stamp: string;
  lines: Buffer[];
  size: number;
}

export class ControlLines {
  #parts: Buffer[] = [];
  #size = 0;
  #reply: OpenReply | null = null;

  /** The messages completed by the next bytes of the stream, in order. */
  *push(bytes: Buffer): Generator<ControlMessage, void> {
    let from = 0;
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, from)) {
      const line = this.#line(bytes.subarray(from, at));
      from = at + 1;
      const message = this.#read(line);
      if (message !== null) yield message;
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#size >= MAX_LINE_BYTES) return;
    // The stream reuses its buffer.
    this.#parts.push(Buffer.from(part));
    this.#size += part.length;
  }

  #line(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last;
    const line = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#size = 0;
    return line;
  }

  #read(line: Buffer): ControlMessage | null {
    if (this.#reply !== null) return this.#readReply(line, this.#reply);
    if (line[0] !== PERCENT) return null;
    if (startsWith(line, OUTPUT)) return outputOf(line, OUTPUT.length, null);
    if (startsWith(line, EXTENDED_OUTPUT)) return outputOf(line, EXTENDED_OUTPUT.length, DATA_MARK);
    const [name = '', ...rest] = line.toString('latin1').split(' ');
    if (name === '%begin') {
      this.#reply = { stamp: rest.join(' '), lines: [], size: 0 };
      return null;
    }
    if (name === '%pause' || name === '%continue') {
      return { kind: name === '%pause' ? 'pause' : 'continue', pane: rest[0] ?? '' };
    }
    return name === '%exit' ? { kind: 'exit' } : { kind: 'other', name };
  }

  #readReply(line: Buffer, reply: OpenReply): ControlMessage | null {
    const ok = isEnd(line, '%end ', reply.stamp);
    if (ok || isEnd(line, '%error ', reply.stamp)) {
      this.#reply = null;
      const asked = !reply.stamp.endsWith(' 0');
      return { kind: 'reply', ok, asked, text: Buffer.concat(reply.lines).toString('utf8') };
    }
    if (reply.size + line.length > MAX_REPLY_BYTES) return null;
    if (reply.lines.length > 0) reply.lines.push(Buffer.from('\n'));
    reply.lines.push(Buffer.from(line));
    reply.size += line.length;
    return null;
  }
}

function startsWith(line: Buffer, start: Buffer): boolean {
  return line.length >= start.length && line.compare(start, 0, start.length, 0, start.length) === 0;
}

function isEnd(line: Buffer, word: string, stamp: string): boolean {
  return line.length === word.length + stamp.length && line.toString('latin1') === word + stamp;
}

function outputOf(line: Buffer, from: number, mark: Buffer | null): ControlMessage | null {
  const paneEnd = line.indexOf(' ', from);
  const markAt = mark === null ? paneEnd : line.indexOf(mark, from);
  if (paneEnd === -1 || markAt === -1) return null;
  const pane = line.toString('latin1', from, paneEnd);
  return { kind: 'output', pane, bytes: unescaped(line, markAt + (mark?.length ?? 1)) };
}

/** Bytes below a space, and the backslash, are encoded as a backslash and three octal digits. */
function unescaped(line: Buffer, from: number): Uint8Array {
  const bytes = new Uint8Array(line.length - from);
  let length = 0;
  for (let at = from; at < line.length; at += 1) {
    const byte = line[at] ?? 0;
    const value = byte === BACKSLASH ? octal(line, at + 1) : -1;
    bytes[length] = value === -1 ? byte : value;
    length += 1;
    if (value !== -1) at += 3;
  }
  return bytes.subarray(0, length);
}

function octal(line: Buffer, at: number): number {
  let value = 0;
  for (let digit = at; digit < at + 3; digit += 1) {
    const byte = line[digit] ?? 0;
    if (byte < 0x30 || byte > 0x37) return -1;
    value = value * 8 + byte - 0x30;
  }
  return value > 255 ? -1 : value;
}
