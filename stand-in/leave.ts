/**
 * The one way out of the process. In order, or as a crash: then only the terminal is given back,
 * the picture and the status record stay as they were.
 */
export type Leave = (end: {
  code: number;
  crash?: NodeJS.Signals | 'exit';
  message?: string;
}) => never;
