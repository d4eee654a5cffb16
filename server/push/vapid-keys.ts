/** The key pair by which push services know this daemon (RFC 8292). */
import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';

const FILE = 'push-key';
const CURVE = 'prime256v1';
const KEY_BYTES = 32;

/** Both in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * The private key is a file of the home, created on first use. Without it every browser has to
 * subscribe again.
 */
export function keepVapidKeys(home: string): VapidKeys {
  const kept = readKey(join(home, FILE));
  if (kept !== null) return pairOf(kept);
  const curve = createECDH(CURVE);
  curve.generateKeys();
  // Leading zeros are part of it.
  const hex = curve.getPrivateKey('hex').padStart(2 * KEY_BYTES, '0');
  const privateKey = Buffer.from(hex, 'hex');
  writeFileAtomic(home, FILE, `${privateKey.toString('base64url')}\n`);
  return pairOf(privateKey);
}

function pairOf(privateKey: Buffer): VapidKeys {
  const curve = createECDH(CURVE);
  curve.setPrivateKey(privateKey);
  return {
    publicKey: curve.getPublicKey('base64url'),
    privateKey: privateKey.toString('base64url'),
  };
}

/** Null for a missing or truncated file. */
function readKey(path: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}
