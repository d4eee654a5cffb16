/** The one error that crosses layers: a code of the closed list and the next step. */
import { type ErrorBody, type ErrorCode, errorTraits } from '../../shared/schema/errors.ts';

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorTraits(this.code).status;
  }

  /** The response body, the same on every route. */
  toBody(): ErrorBody {
    const { retryable } = errorTraits(this.code);
    return {
      error: {
        code: this.code,
        message: this.message,
        retryable,
        ...(this.details === undefined ? {} : { details: this.details }),
      },
    };
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's error code: `ENOENT`, `SQLITE_FULL`, … */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
