import type { Greeting } from './contender.ts';
import { END_OF_HEAD, upgradeRequest } from './upgrade-request.ts';

/** Connects to the first namespace of Socket.IO, over WebSocket only. */
export function socketIoGreeting(port: number): Greeting {
  return {
    request: upgradeRequest(port, '/socket.io/?EIO=4&transport=websocket', []),
    steps: [
      { until: END_OF_HEAD },
      // The engine's packet, then that of the namespace.
      { until: '0{' },
      { until: '}', say: '40' },
      { until: '40{' },
      { until: '}' },
    ],
  };
}
