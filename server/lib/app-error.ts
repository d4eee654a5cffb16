/** The one error that crosses a layer: a code of the closed list, and what to do next. */
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

  /** The body that travels, here and on every other route. */
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

/** Takes anything thrown; gives its message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Takes anything thrown; gives the system's error code (`ENOENT`, `SQLITE_FULL`, …) if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
