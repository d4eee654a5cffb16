/** The engines a daemon's edge can run on. */
import { messageOf } from '../server/lib/app-error.ts';
import { chooseTransport } from '../server/transport/choose-transport.ts';
import type { Transport } from '../server/transport/transport.ts';

export const ENGINE_NAMES = ['ws', 'uws'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Takes a name; gives the engine, or in words why it cannot run here. */
export async function loadEngine(name: EngineName): Promise<Transport | string> {
  try {
    return await chooseTransport(name);
  } catch (error) {
    return messageOf(error);
  }
}
