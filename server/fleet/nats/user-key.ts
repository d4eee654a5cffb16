import { nkeys } from '@nats-io/transport-node';

export interface UserKey {
  /** Named in the configuration of the server. */
  publicKey: string;
  /** A secret: proves that its holder is this user. */
  seed: string;
}

export function createUserKey(): UserKey {
  const pair = nkeys.createUser();
  const seed = new TextDecoder().decode(pair.getSeed());
  const key = { publicKey: pair.getPublicKey(), seed };
  pair.clear();
  return key;
}
