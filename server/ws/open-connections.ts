import type { PeerHandler } from '../transport/transport.ts';

/** How many WebSockets are open. */
export class OpenConnections {
  #open = 0;

  get open(): number {
    return this.#open;
  }

  /** Takes what handles a fresh peer; gives the same, counted until the peer is gone. */
  counted(handler: PeerHandler): PeerHandler {
    this.#open += 1;
    return {
      ...handler,
      closed: () => {
        this.#open -= 1;
        handler.closed();
      },
    };
  }
}
