/** `1 loop`, `2 loops`; `many` where an s is not enough. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
