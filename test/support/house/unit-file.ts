/** Reads a unit file as systemd does, as far as ours needs; strict, so that nothing odd passes. */

export interface UnitFile {
  /** Values of each key, in order, by `Section.Key`. */
  values: Map<string, string[]>;
}

/** Throws where systemd would ignore or misread a line. */
export function parseUnitFile(text: string): UnitFile {
  const values = new Map<string, string[]>();
  let section = '';
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) {
      if (line.endsWith('\\')) throw new Error(`a comment continues: ${line}`);
      continue;
    }
    const head = /^\[(\w+)\]$/.exec(line)?.[1];
    if (head !== undefined) {
      section = head;
      continue;
    }
    const [, key = '', value = ''] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
    if (key === '' || section === '' || value.endsWith('\\')) throw new Error(`no line: ${line}`);
    const name = `${section}.${key}`;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { values };
}

/** A value's words without quotes, escapes and specifiers. Throws where a word needs more than that. */
export function unitWords(value: string): string[] {
  const words: string[] = [];
  let rest = value.trimStart();
  while (rest !== '') {
    const quoted = /^"((?:[^"\\]|\\.)*)"(?:\s+|$)/.exec(rest);
    const bare = /^([\w./-]+)(?:\s+|$)/.exec(rest);
    const match = quoted ?? bare;
    if (match?.[1] === undefined) throw new Error(`no word: ${rest}`);
    words.push(plain(match[1]));
    rest = rest.slice(match[0].length);
  }
  return words;
}

function plain(quoted: string): string {
  const unescaped = quoted.replaceAll(/\\(.)/g, (_, escaped: string) => {
    if (escaped !== '\\' && escaped !== '"') throw new Error(`unknown escape \\${escaped}`);
    return escaped;
  });
  return unescaped.replaceAll(/%(.?)/g, (_, specifier: string) => {
    if (specifier !== '%') throw new Error(`a specifier: %${specifier}`);
    return '%';
  });
}
