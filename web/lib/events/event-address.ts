/** What names one event for ever, in a link: `epoch:seq`. */
export interface EventAddress {
  epoch: string;
  seq: number;
}

const ADDRESS = /^([A-Za-z0-9]{1,40}):([1-9]\d{0,14})$/;

/** Takes text out of a link; gives the address, or null when it is none. */
export function parseEventAddress(text: string): EventAddress | null {
  const [, epoch, seq] = ADDRESS.exec(text) ?? [];
  return epoch === undefined ? null : { epoch, seq: Number(seq) };
}

/** Takes an address; gives the text of it. */
export function formatEventAddress({ epoch, seq }: EventAddress): string {
  return `${epoch}:${seq}`;
}
