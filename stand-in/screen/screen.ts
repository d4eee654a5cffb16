/** Where a client shows itself. */
export interface Screen {
  /** Rows of the transcript, in order; `compose` takes the width in columns. */
  print: (compose: (columns: number) => readonly string[]) => void;
  /** Removes everything that was printed. */
  clear: () => void;
  /** The view has changed. */
  refresh: () => void;
  /** Restores the terminal; with `keep` its content stays as it is, as after a crash. */
  close: (keep?: boolean) => void;
}
