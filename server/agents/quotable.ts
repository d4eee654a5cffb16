/** Inert between double quotes of any common shell. */
const QUOTABLE = /^[\p{L}\p{N} _./@+,:=~%-]+$/u;

/** Takes a path; tells whether it can be typed between double quotes into any common shell. */
export function isQuotable(path: string): boolean {
  return QUOTABLE.test(path);
}
