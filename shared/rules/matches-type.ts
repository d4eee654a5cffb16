/** Takes a valid pattern and a type; tells whether the pattern selects the type. */
export function matchesType(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === type) return true;
  return pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1));
}
