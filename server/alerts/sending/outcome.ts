/** One attempt: its message and its outcome. */
export interface Message {
  id: string;
  /** JSON. */
  body: string;
  /** For a command's environment. */
  type: string;
  session: string | null;
  task: string | null;
  reason: string | null;
}

export interface Outcome {
  ok: boolean;
  /** The HTTP status or the exit code; null when there was none. */
  status: number | null;
  /** Null on success. Contains no URL, argument or secret. */
  error: string | null;
  /** The end of what a command printed, or the start of a webhook's response. */
  output: string | null;
  /** The receiver reports that it no longer exists. */
  gone: boolean;
  /** The pause the receiver requests. */
  retryAfterMs: number | null;
}

export function failure(error: string, more: Partial<Outcome> = {}): Outcome {
  const defaults = { status: null, output: null, gone: false, retryAfterMs: null };
  return { ...defaults, ...more, ok: false, error };
}

export function success(status: number, output: string | null = null): Outcome {
  return { ok: true, status, error: null, output, gone: false, retryAfterMs: null };
}
