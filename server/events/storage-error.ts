import { AppError, systemCode } from '../lib/app-error.ts';

/** Takes what SQLite threw; gives what a caller is told of it, or the same error. */
export function asStorageError(error: unknown): unknown {
  switch (systemCode(error)) {
    case 'SQLITE_FULL':
      return new AppError('storage_full', 'the disk is full; nothing was changed');
    case 'SQLITE_BUSY':
      return new AppError('storage_busy', 'the database is locked by another process');
    default:
      return error;
  }
}
