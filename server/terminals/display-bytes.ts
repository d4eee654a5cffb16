/**
 * Turns a program's output into bytes that are safe for a viewer's terminal emulator, as they
 * arrive: printable UTF-8, a few control bytes, and the sequences of `display-sequences.ts`. The
 * result never ends inside a character or a sequence, so a snapshot between two pieces matches
 * both.
 */
import { displayableCsi, isDisplayableEscape } from './display-sequences.ts';
import { SgrState } from './sgr-state.ts';

const ESC = 0x1b;
const BEL = 0x07;
const DEL = 0x7f;
/** BEL, BS, TAB, LF, VT, FF, CR, SO and SI, which choose the character set that lines are drawn in. */
const CONTROLS = new Set([BEL, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f]);
/** CAN and SUB end any sequence without effect. */
const ABORTS = new Set([0x18, 0x1a]);
/** OSC, DCS, SOS, PM, APC, and the title string of screen: `]`, `P`, `X`, `^`, `_`, `k`. */
const STRINGS = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f, 0x6b]);
const OSC = 0x5d;
/** No allowed sequence is longer than a colour with all attributes. */
const MAX_SEQUENCE_BYTES = 256;

type State = 'ground' | 'character' | 'escape' | 'csi' | 'osc' | 'string';

export class DisplayBytes {
  /** The attributes of the next text. */
  readonly pen = new SgrState();
  #state: State = 'ground';
  #sequence = '';
  #overlong = false;
  /** Of a UTF-8 character: the bytes so far, and how many are missing. */
  #character: number[] = [];
  #missing = 0;
  #out = new Uint8Array(0);
  #length = 0;

  /** The displayable part of the next bytes, in a new buffer. */
  push(bytes: Uint8Array): Uint8Array {
    // Bytes held back are added; a sequence never grows.
    this.#out = new Uint8Array(bytes.length + MAX_SEQUENCE_BYTES + 2);
    this.#length = 0;
    for (const byte of bytes) this.#take(byte);
    const out = this.#out.subarray(0, this.#length);
    this.#out = new Uint8Array(0);
    return out;
  }

  #take(byte: number): void {
    if (this.#state === 'ground') {
      if (byte >= 0x20 && byte < DEL) this.#out[this.#length++] = byte;
      else this.#ground(byte);
    } else if (this.#state === 'character') {
      this.#continueCharacter(byte);
    } else if (byte === ESC) {
      this.#begin('escape');
    } else if (ABORTS.has(byte)) {
      this.#state = 'ground';
    } else if (this.#state === 'osc' || this.#state === 'string') {
      if (byte === BEL && this.#state === 'osc') this.#state = 'ground';
    } else if (byte < 0x20) {
      // An emulator executes it at once, inside the sequence.
      if (CONTROLS.has(byte)) this.#out[this.#length++] = byte;
    } else if (byte >= DEL) {
      if (byte !== DEL) this.#leave(byte);
    } else if (this.#state === 'escape') {
      this.#escape(byte);
    } else {
      this.#csi(byte);
    }
  }

  #ground(byte: number): void {
    if (byte === ESC) this.#begin('escape');
    else if (CONTROLS.has(byte)) this.#out[this.#length++] = byte;
    else if (byte > DEL) this.#beginCharacter(byte);
  }

  #begin(state: State): void {
    this.#state = state;
    this.#sequence = '';
    this.#overlong = false;
  }

  /** A byte that no sequence can hold: the sequence is void, the byte is text again. */
  #leave(byte: number): void {
    this.#state = 'ground';
    this.#ground(byte);
  }

  #escape(byte: number): void {
    if (this.#sequence === '' && byte === 0x5b) return this.#begin('csi');
    if (this.#sequence === '' && STRINGS.has(byte)) {
      return this.#begin(byte === OSC ? 'osc' : 'string');
    }
    this.#collect(byte);
    if (byte < 0x30) return;
    this.#state = 'ground';
    if (this.#overlong || !isDisplayableEscape(this.#sequence)) return;
    if (this.#sequence === 'c') this.pen.apply('0');
    this.#write(this.#sequence);
  }

  #csi(byte: number): void {
    this.#collect(byte);
    if (byte < 0x40) return;
    this.#state = 'ground';
    const kept = this.#overlong ? null : displayableCsi(this.#sequence);
    if (kept === null) return;
    if (kept === '!p') this.pen.apply('0');
    if (kept.endsWith('m')) this.pen.apply(kept.slice(0, -1));
    this.#write(`[${kept}`);
  }

  #collect(byte: number): void {
    if (this.#sequence.length < MAX_SEQUENCE_BYTES) this.#sequence += String.fromCharCode(byte);
    else this.#overlong = true;
  }

  #write(body: string): void {
    this.#out[this.#length++] = ESC;
    for (let at = 0; at < body.length; at += 1) this.#out[this.#length++] = body.charCodeAt(at);
  }

  #beginCharacter(byte: number): void {
    this.#missing = byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : 0;
    if (byte >= 0xf0 && byte < 0xf5) this.#missing = 3;
    if (this.#missing === 0) return;
    this.#character = [byte];
    this.#state = 'character';
  }

  #continueCharacter(byte: number): void {
    const [first = 0] = this.#character;
    const fits = this.#character.length === 1 ? isSecond(first, byte) : byte >= 0x80 && byte < 0xc0;
    // A truncated character is dropped; the byte after it may start something of its own.
    if (!fits) {
      this.#state = 'ground';
      return this.#take(byte);
    }
    this.#character.push(byte);
    this.#missing -= 1;
    if (this.#missing > 0) return;
    this.#state = 'ground';
    for (const part of this.#character) this.#out[this.#length++] = part;
  }
}

/** No overlong forms, no surrogates, nothing beyond U+10FFFF, and no C1 control (C2 80 to C2 9F). */
function isSecond(first: number, byte: number): boolean {
  const least = first === 0xe0 || first === 0xc2 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return byte >= least && byte <= most;
}
