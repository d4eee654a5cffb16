/**
 * The only way out of the process. Orderly, or as a crash: a crash only restores the terminal; its
 * content and the status record stay as they were.
 */
export type Leave = (end: {
  code: number;
  crash?: NodeJS.Signals | 'exit';
  message?: string;
}) => never;
