/** Terminal bytes as a viewer may have them. */
export class DisplayBytes {
  /** Takes what a program wrote; gives what can be shown. */
  push(bytes: Uint8Array): Uint8Array {
    return bytes;
  }
}
