/** Names errors of a database or a disk, for people and for programs. */
import { AppError, systemCode } from '../app-error.ts';

/** How the home is named in messages. */
const HOME = 'LOOPWATCH_HOME';

/** The AppError for a storage failure in `place`; any other error unchanged. */
export function asStorageError(error: unknown, place = HOME): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof AppError) return error;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new AppError(
      'storage_full',
      `the disk of ${place} is full; nothing was changed. Free space and try again` +
        (place === HOME ? '; until then, end an agent in its terminal' : ''),
    );
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new AppError(
      'storage_busy',
      `the database of ${place} is locked by another program; nothing was changed. Try again`,
    );
  }
  if (isStorageCode(code)) {
    return new AppError(
      'storage_failed',
      `${code.startsWith('SQLITE_') ? 'the database of ' : ''}${place} cannot be used ` +
        `(${code}); nothing was changed. Check its disk, then try again` +
        (place === HOME ? '; agents keep running' : ''),
    );
  }
  return error;
}

/** True when a disk or a file system is the cause. */
export function isStorageCode(code: string): boolean {
  return (
    /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(code) ||
    ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'].includes(code)
  );
}

/** True when the file is not what it should be. */
export function isDamageCode(code: string): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(code);
}
