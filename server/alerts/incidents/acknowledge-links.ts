/**
 * Links in messages that acknowledge. The delivery and its end of validity, signed: nothing is
 * stored, and every attempt has the same link. In the fragment, which no server, log or link preview
 * gets; the page behind it acknowledges only when a person presses its button.
 */
import { type SigningKey } from '../../lib/signing-key.ts';

const LIFE_MS = 24 * 60 * 60_000;
/** The id of a delivery, milliseconds since 1970 in base 36, 256 bits in base64url. */
const TOKEN = /^([0-9a-f]{20})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

export class AcknowledgeLinks {
  readonly #key: SigningKey;

  constructor(key: SigningKey) {
    this.#key = key;
  }

  issue({ id, createdAt }: { id: string; createdAt: string }): string {
    const named = `${id}.${(Date.parse(createdAt) + LIFE_MS).toString(36)}`;
    return `${named}.${this.#key.sign(named)}`;
  }

  /** The id of the delivery; null when it is not ours or too old. */
  verify(token: string, nowMs: number): string | null {
    const [, id, expires, signature] = TOKEN.exec(token) ?? [];
    if (id === undefined || expires === undefined || signature === undefined) return null;
    if (!this.#key.isSigned(`${id}.${expires}`, signature)) return null;
    return nowMs < Number.parseInt(expires, 36) ? id : null;
  }
}
