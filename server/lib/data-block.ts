/**
 * Text of others in a message to a model, between marks that hold the nonce: unguessable and new
 * for each message, so the text cannot close its block. `name` is the caller's own word.
 */
export function dataBlock(name: string, text: string, nonce: string): string {
  return `<data-${nonce} name="${name}">\n${withoutNonce(text, nonce)}\n</data-${nonce}>`;
}

/** Replaced rather than removed: what is left of it cannot join to the nonce again. */
function withoutNonce(text: string, nonce: string): string {
  return text.replaceAll(nonce, '…').trim();
}
