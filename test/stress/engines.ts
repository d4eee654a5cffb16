/** The engines a daemon's edge can run on. */
import { messageOf } from '../../server/lib/app-error.ts';
import { chooseTransport } from '../../server/transport/choose-transport.ts';
import type { Transport } from '../../server/transport/transport.ts';
import type { TransportName } from '../../shared/schema/transport-name.ts';

/** The engine, or a message why it cannot run here. */
export async function loadEngine(name: TransportName): Promise<Transport | string> {
  try {
    return await chooseTransport(name);
  } catch (error) {
    return messageOf(error);
  }
}
