const encoder = new TextEncoder();

/** The longest start of a text that fits into so many bytes of UTF-8; never half a character. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
