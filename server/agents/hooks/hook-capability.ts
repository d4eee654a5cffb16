/**
 * What an agent's hooks present instead of a token: the session and the run, signed. Nothing is
 * stored per run, so a capability still holds after a restart of the daemon. It opens only the one
 * endpoint that receives hooks.
 */
import { keepKey, SigningKey } from '../../lib/signing-key.ts';

const KEY_FILE = 'hook-key';
/** A session's name, the id of a run, and 256 bits in base64url. */
const CAPABILITY = /^([A-Za-z0-9_-]{1,32})\.([a-z0-9]{1,64})\.([A-Za-z0-9_-]{43})$/;

export interface HookRun {
  session: string;
  runId: string;
}

/** Of the hooks in the user's own settings, which serve sessions that Loopwatch did not start. */
export const ANY_SESSION: Readonly<HookRun> = { session: 'any-session', runId: 'found' };

/** No id of a run is that short. */
export function isAnySession({ session, runId }: HookRun): boolean {
  return session === ANY_SESSION.session && runId === ANY_SESSION.runId;
}

export class HookCapabilities {
  readonly #key: SigningKey;

  constructor(key: string) {
    this.#key = new SigningKey(key);
  }

  issue({ session, runId }: HookRun): string {
    return `${session}.${runId}.${this.#key.sign(`${session}.${runId}`)}`;
  }

  /** The run it was issued for, or null. Compares in constant time. */
  verify(text: string): HookRun | null {
    const [, session, runId, signature] = CAPABILITY.exec(text) ?? [];
    if (session === undefined || runId === undefined || signature === undefined) return null;
    return this.#key.isSigned(`${session}.${runId}`, signature) ? { session, runId } : null;
  }
}

/** The key is created at the first start. */
export function openHookCapabilities(home: string): HookCapabilities {
  return new HookCapabilities(keepKey(home, KEY_FILE));
}
