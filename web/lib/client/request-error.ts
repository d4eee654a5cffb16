import type { ErrorBody, ErrorCode } from '$shared/schema/errors.ts';

/** `unreachable`: no answer came; `unreadable`: an answer that is not of this contract. */
export type RequestErrorCode = ErrorCode | 'unreachable' | 'unreadable';

/** A REST call that did not succeed, with the daemon's own words where it spoke. */
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
    return new RequestError(error.code, toSentence(error.message), error.details);
  }
}

/** The daemon writes messages for logs as well: in lower case and without a full stop. */
function toSentence(message: string): string {
  const start = /^[a-z]+ /.test(message) ? message.charAt(0).toUpperCase() : message.charAt(0);
  return start + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}

/** Takes anything thrown; gives it as a request error. */
export function asRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  return new RequestError('unreadable', thrown instanceof Error ? thrown.message : String(thrown));
}
