/**
 * The daemon's own files are private. What it starts for people, and what it writes where they
 * work, has the modes that they would expect from their own shell.
 */

/** As the daemon was started with; null before its files are private. */
let users: number | null = null;

/** For this process, until it ends. */
export function keepFilesPrivate(): void {
  const before = process.umask(0o077);
  users ??= before;
}

/** Runs `act` under the umask of the person: a process starts, or a file is written, before it returns. */
export function withUserUmask<Result>(act: () => Result): Result {
  if (users === null) return act();
  const own = process.umask(users);
  try {
    return act();
  } finally {
    process.umask(own);
  }
}
