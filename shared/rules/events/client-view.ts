/** Client views that replace the prompt and ask nothing. Free of zod: the page imports it. */

/** Opened on a key. A person closes them in the terminal; the work needs no answer. */
export const CLIENT_VIEWS = ['agents_view', 'history_search', 'transcript_view', 'rewind'] as const;
export type ClientView = (typeof CLIENT_VIEWS)[number];

export function isClientView(cause: string): cause is ClientView {
  return (CLIENT_VIEWS as readonly string[]).includes(cause);
}

/** True for a wait that holds typed input but asks nothing about the agent's work. */
export function asksNothing({ state, cause }: { state: string; cause: string }): boolean {
  return state === 'waiting' && (cause === 'client_notice' || isClientView(cause));
}
