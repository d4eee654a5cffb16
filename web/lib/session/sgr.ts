/**
 * Parses one terminal row with SGR codes into runs of equally styled text, in linear time. All
 * other escape sequences are dropped; the page renders the text as text only.
 */
export interface TextStyle {
  readonly color: string | null;
  readonly background: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
  readonly strike: boolean;
}

export interface TextRun {
  readonly text: string;
  readonly style: TextStyle;
}

const PLAIN: TextStyle = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strike: false,
};

const ESCAPE = '\u001b';
/** More parameters than any real row has; further ones are ignored. */
const MAX_PARAMETERS = 64;

/** In order. */
export function parseSgr(row: string): TextRun[] {
  const runs: TextRun[] = [];
  let style = PLAIN;
  let position = 0;
  while (position < row.length) {
    const escape = row.indexOf(ESCAPE, position);
    const end = escape === -1 ? row.length : escape;
    if (end > position) runs.push({ text: row.slice(position, end), style });
    if (escape === -1) break;
    if (row[escape + 1] !== '[') {
      position = escape + 1;
      continue;
    }
    const final = finalByte(row, escape + 2);
    if (row[final] === 'm') style = restyle(style, row.slice(escape + 2, final));
    position = final + 1;
  }
  return runs;
}

function finalByte(row: string, from: number): number {
  let index = from;
  while (index < row.length && (row.charCodeAt(index) < 0x40 || row.charCodeAt(index) > 0x7e)) {
    index += 1;
  }
  return index;
}

function restyle(before: TextStyle, parameters: string): TextStyle {
  const codes = parameters.split(';', MAX_PARAMETERS).flatMap(toCodes);
  let style = before;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48 || code === 58) {
      const { color, used } = extendedColor(codes, index + 1);
      if (code === 38) style = { ...style, color };
      if (code === 48) style = { ...style, background: color };
      index += used;
    } else {
      style = { ...style, ...simpleChange(code) };
    }
  }
  return style;
}

/** Sub-parameters: `4:3` is a kind of underline, `38:2::r:g:b` a colour with an empty colour space. */
function toCodes(parameter: string): number[] {
  const parts = parameter.split(':', MAX_PARAMETERS).map(Number);
  if (parts.length === 1) return parts;
  if (parts[0] === 4) return [parts[1] === 0 ? 24 : 4];
  return parts.length === 6 ? parts.toSpliced(2, 1) : parts;
}

function simpleChange(code: number): Partial<TextStyle> {
  if (code === 0) return PLAIN;
  if (code >= 30 && code <= 37) return { color: paletteColor(code - 30) };
  if (code >= 90 && code <= 97) return { color: paletteColor(code - 82) };
  if (code >= 40 && code <= 47) return { background: paletteColor(code - 40) };
  if (code >= 100 && code <= 107) return { background: paletteColor(code - 92) };
  return SWITCHES[code] ?? {};
}

const SWITCHES: Readonly<Record<number, Partial<TextStyle>>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { color: null },
  49: { background: null },
};

/** Reads `5;n` or `2;r;g;b`; `used` is how many parameters that took. */
function extendedColor(
  codes: readonly number[],
  at: number,
): { color: string | null; used: number } {
  if (codes[at] === 5) return { color: paletteColor(byte(codes[at + 1])), used: 2 };
  if (codes[at] === 2) {
    const [red, green, blue] = [byte(codes[at + 1]), byte(codes[at + 2]), byte(codes[at + 3])];
    return { color: `rgb(${red} ${green} ${blue})`, used: 4 };
  }
  return { color: null, used: 1 };
}

function paletteColor(index: number): string {
  if (index < 16) return `var(--terminal-${index})`;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const cube = index - 16;
  const [red, green, blue] = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level);
  return `rgb(${red ?? 0} ${green ?? 0} ${blue ?? 0})`;
}

function level(step: number): number {
  return step === 0 ? 0 : 55 + step * 40;
}

function byte(value: number | undefined): number {
  return Number.isInteger(value) ? Math.min(255, Math.max(0, value ?? 0)) : 0;
}
