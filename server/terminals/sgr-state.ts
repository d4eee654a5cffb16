/** The attributes of a terminal after a row of SGR codes. */

const CLEARED_BY: Record<number, readonly string[]> = {
  22: ['1', '2'],
  23: ['3'],
  24: ['4'],
  25: ['5'],
  27: ['7'],
  28: ['8'],
  29: ['9'],
  39: ['foreground'],
  49: ['background'],
  59: ['underline'],
};
const EXTENDED: Record<number, string> = { 38: 'foreground', 48: 'background', 58: 'underline' };

export class SgrState {
  readonly #open = new Map<string, string>();

  /** The parameters of one code: digits, semicolons and colons only. */
  apply(parameters: string): void {
    const rest = parameters.split(';');
    for (let parameter = rest.shift(); parameter !== undefined; parameter = rest.shift()) {
      const code = Number.parseInt(parameter || '0', 10);
      const place = EXTENDED[code];
      if (place !== undefined) this.#open.set(place, extended(parameter, rest));
      else this.#set(code);
    }
  }

  /** One code that brings a plain terminal into this state; empty when it is plain. */
  code(): string {
    return this.#open.size === 0 ? '' : `\x1b[${[...this.#open.values()].join(';')}m`;
  }

  /** A space in this state is visible: background, underline or similar. */
  get paintsBlanks(): boolean {
    return ['background', '4', '7', '9'].some((place) => this.#open.has(place));
  }

  get isFaint(): boolean {
    return this.#open.has('2');
  }

  #set(code: number): void {
    if (code === 0) this.#open.clear();
    for (const cleared of CLEARED_BY[code] ?? []) this.#open.delete(cleared);
    if (code >= 1 && code <= 9) this.#open.set(String(code), String(code));
    if (isColour(code, 30, 90)) this.#open.set('foreground', String(code));
    if (isColour(code, 40, 100)) this.#open.set('background', String(code));
  }
}

function isColour(code: number, normal: number, bright: number): boolean {
  return (code >= normal && code <= normal + 7) || (code >= bright && code <= bright + 7);
}

/** `38:…` holds its own arguments; `38;5;n` and `38;2;r;g;b` take them from what follows. */
function extended(parameter: string, rest: string[]): string {
  if (parameter.includes(':')) return parameter;
  const count = rest[0] === '2' ? 4 : 2;
  return [parameter, ...rest.splice(0, count)].join(';');
}
