/** One attempt: what is sent, and how it went. */
export interface Message {
  id: string;
  /** JSON. */
  body: string;
  /** What a command finds in its environment. */
  type: string;
  session: string | null;
  task: string | null;
  reason: string | null;
}

export interface Outcome {
  ok: boolean;
  /** The HTTP status or the exit code; null when there was none. */
  status: number | null;
  /** Null when all went well. Names no URL, no argument and no secret. */
  error: string | null;
  /** The end of what a command printed, or the start of what a webhook answered. */
  output: string | null;
  /** The receiver says that it is there no more. */
  gone: boolean;
  /** The pause that the receiver asks for. */
  retryAfterMs: number | null;
}

/** Takes how an attempt failed; gives the outcome. */
export function failure(error: string, more: Partial<Outcome> = {}): Outcome {
  const nothing = { status: null, output: null, gone: false, retryAfterMs: null };
  return { ...nothing, ...more, ok: false, error };
}

/** Takes the status of an attempt that went well, and what it printed; gives the outcome. */
export function success(status: number, output: string | null = null): Outcome {
  return { ok: true, status, error: null, output, gone: false, retryAfterMs: null };
}
