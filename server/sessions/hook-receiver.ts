/** Where the hooks of supervised agents arrive. */

export interface HookReceiver {
  /**
   * Takes what the client sent, of a run whose capability held. Gives what the hook is to print as
   * its decision, or null. May take as long as a person needs; `closed` aborts when the hook no
   * longer waits (its client ended it) or the daemon stops.
   */
  receive(
    session: string,
    runId: string,
    payload: unknown,
    closed: AbortSignal,
  ): Promise<object | null>;
}

/** Hears everything and decides nothing. */
export const quietReceiver: HookReceiver = {
  receive: async () => Promise.resolve(null),
};
