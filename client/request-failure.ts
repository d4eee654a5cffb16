import type { ErrorBody, ErrorCode } from '../shared/schema/errors.ts';

/** `unreachable`: no answer; `unreadable`: an answer that is not Loopwatch's. */
export type FailureCode = ErrorCode | 'unreachable' | 'unreadable';

/** A call that failed, with the daemon's own code and message if it answered. */
export class RequestFailure extends Error {
  readonly code: FailureCode;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** Set when it may have been done: the same call with this key is done once. */
  readonly key: string | null;

  constructor(
    code: FailureCode,
    status: number,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    key: string | null = null,
  ) {
    super(message);
    this.name = 'RequestFailure';
    this.code = code;
    this.status = status;
    this.details = details;
    this.key = key;
  }

  repeatableWith(key: string): RequestFailure {
    return new RequestFailure(this.code, this.status, this.message, this.details, key);
  }

  /** The same call may succeed later: the daemon is away, busy or restarting. */
  get isTemporary(): boolean {
    return this.code === 'unreachable' || this.status === 429 || this.status >= 500;
  }
}

export async function failureOf(response: Response): Promise<RequestFailure> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => null);
  if (!isErrorBody(body)) {
    return new RequestFailure('unreadable', status, `HTTP status ${status} is not of Loopwatch`);
  }
  const { code, message, details } = body.error;
  return new RequestFailure(code, status, message, details);
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}
