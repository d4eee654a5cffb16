/** Identifies one event permanently in a link: `epoch:seq`. */
export interface EventAddress {
  epoch: string;
  seq: number;
}

const ADDRESS = /^([A-Za-z0-9]{1,40}):([1-9]\d{0,14})$/;

/** Null for invalid text. */
export function parseEventAddress(text: string): EventAddress | null {
  const [, epoch, seq] = ADDRESS.exec(text) ?? [];
  return epoch === undefined ? null : { epoch, seq: Number(seq) };
}

export function formatEventAddress({ epoch, seq }: EventAddress): string {
  return `${epoch}:${seq}`;
}
