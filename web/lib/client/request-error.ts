import type { ErrorBody, ErrorCode } from '$shared/schema/errors.ts';

/** `unreachable`: no answer; `unreadable`: an answer outside the contract. */
export type RequestErrorCode = ErrorCode | 'unreachable' | 'unreadable';

/** For a change on another host, after which the page repeats the request with the same key. */
const REPEAT =
  'That host did not answer in time: it may have been done. Try again: the same request is repeated, and it is done only once.';

/** A failed REST call, with the daemon's own message if it answered. */
export class RequestError extends Error {
  readonly code: RequestErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: RequestErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.details = details;
  }

  static unreachable(): RequestError {
    return new RequestError('unreachable', 'The daemon does not respond.');
  }

  static async fromResponse(response: Response): Promise<RequestError> {
    const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
    const error = body?.error;
    if (error === undefined) {
      return new RequestError('unreadable', `The daemon returned ${response.status}.`);
    }
    const isRepeatable = error.details?.['repeatable'] === true;
    const message = isRepeatable ? REPEAT : toSentence(error.message);
    return new RequestError(error.code, message, error.details);
  }
}

/** The daemon writes its messages for logs too: in lower case and without a full stop. */
function toSentence(message: string): string {
  const start = /^[a-z]+ /.test(message) ? message.charAt(0).toUpperCase() : message.charAt(0);
  return start + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}

export function asRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  return new RequestError('unreadable', thrown instanceof Error ? thrown.message : String(thrown));
}
