/**
 * What lets a notification answer: the browser it was sent to, the request, and the end of its
 * validity, signed. Only that browser can read it, because the message is encrypted for it. Nothing
 * is stored; a browser that was removed has no valid ticket.
 */
import { type SigningKey } from '../lib/signing-key.ts';

const LIFE_MS = 24 * 60 * 60_000;
/** The ids of a browser and an item, milliseconds since 1970 in base 36, 256 bits in base64url. */
const TICKET = /^([0-9a-f]{20})\.([0-9a-f]{20})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

export interface Ticket {
  browser: string;
  item: string;
}

export class AnswerTickets {
  readonly #key: SigningKey;

  constructor(key: SigningKey) {
    this.#key = key;
  }

  issue({ browser, item }: Ticket, nowMs: number): string {
    const named = `${browser}.${item}.${(nowMs + LIFE_MS).toString(36)}`;
    return `${named}.${this.#key.sign(named)}`;
  }

  /** Null when it is not ours or too old. */
  verify(text: string, nowMs: number): Ticket | null {
    const [, browser = '', item = '', expires = '', signature = ''] = TICKET.exec(text) ?? [];
    if (!this.#key.isSigned(`${browser}.${item}.${expires}`, signature)) return null;
    return nowMs < Number.parseInt(expires, 36) ? { browser, item } : null;
  }
}
