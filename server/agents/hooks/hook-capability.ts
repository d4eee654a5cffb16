/**
 * What an agent's hooks present instead of a token: the session and the run, signed. Nothing is
 * stored per run, so a capability still holds after a restart of the daemon. It opens only the one
 * endpoint that receives hooks.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { randomSecret } from '../../lib/random-id.ts';

const KEY_FILE = 'hook-key';
/** 256 bits in base64url have 43 characters; a shorter key was truncated. */
const KEY_LENGTH = 43;
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
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  issue({ session, runId }: HookRun): string {
    return `${session}.${runId}.${this.#sign(session, runId).toString('base64url')}`;
  }

  /** The run it was issued for, or null. Compares in constant time. */
  verify(text: string): HookRun | null {
    const [, session, runId, signature] = CAPABILITY.exec(text) ?? [];
    if (session === undefined || runId === undefined || signature === undefined) return null;
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#sign(session, runId);
    // The last character of 43 has two unused bits: only one spelling is ours.
    const same = given.length === expected.length && timingSafeEqual(given, expected);
    return same && given.toString('base64url') === signature ? { session, runId } : null;
  }

  #sign(session: string, runId: string): Buffer {
    return createHmac('sha256', this.#key).update(`${session}.${runId}`).digest();
  }
}

/** The key is created at the first start. */
export function openHookCapabilities(home: string): HookCapabilities {
  try {
    const kept = readFileSync(join(home, KEY_FILE), 'utf8').trim();
    if (kept.length >= KEY_LENGTH) return new HookCapabilities(kept);
  } catch {
    // The first start of this home.
  }
  const secret = randomSecret();
  writeFileAtomic(home, KEY_FILE, `${secret}\n`);
  return new HookCapabilities(secret);
}
