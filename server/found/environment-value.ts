/** More of a value is cut. */
const MAX_VALUE = 1_000;

/** `environment`: `\0NAME=value\0…`. Null when it has no such name. */
export function valueOf(environment: string, name: string): string | null {
  const sign = `\0${name}=`;
  const at = environment.indexOf(sign);
  if (at === -1) return null;
  const from = at + sign.length;
  return environment.slice(from, environment.indexOf('\0', from)).slice(0, MAX_VALUE);
}
