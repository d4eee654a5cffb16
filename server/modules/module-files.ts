/** The texts of a module for people to read. Agents write them: no link is followed, nothing blocks. */
import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleFile } from '../../shared/schema/modules/modules.ts';
import { toIso } from '../lib/clock.ts';
import { type HostileFile, readHostileFile, type Refusal } from '../lib/files/hostile-file.ts';

/** Of each file; of a longer one the end. */
const MAX_BYTES = 64 * 1024;
/** Names read of a folder, and files shown of it. */
const MAX_NAMES = 1_000;
const SHOWN = { '.test': 12, '.analysis': 4 } as const;
const TEXTS = ['.plan.md', '.summary.md', '.report.md'] as const;
const PLAIN_NAME = /^[^\p{C}/]{1,200}$/u;

const REFUSED: Record<Refusal, string> = {
  not_a_file: 'Not a regular file: links are not followed.',
  too_large: 'Too large to show.',
  not_utf8: 'Not UTF-8 text.',
  foreign_owner: 'It belongs to another user.',
  hard_link: 'It has more than one hard link.',
  unreadable: 'It cannot be read.',
};

export function refusalText(cause: Refusal): string {
  return REFUSED[cause];
}

/** Those that exist; `more`: files of folders that are left out. */
export function readModuleFiles(directory: string): { files: ModuleFile[]; more: number } {
  const tests = newest(directory, '.test');
  const analyses = newest(directory, '.analysis');
  const names = [...TEXTS, ...tests.names, ...analyses.names];
  return {
    files: names.flatMap((name) => readOne(directory, name)),
    more: tests.more + analyses.more,
  };
}

function readOne(directory: string, name: string): ModuleFile[] {
  const path = join(directory, name);
  const whole = readHostileFile(path, MAX_BYTES);
  const isLong = whole.kind === 'refused' && whole.cause === 'too_large';
  const file: HostileFile = isLong ? readHostileFile(path, MAX_BYTES, 'last_lines') : whole;
  if (file.kind === 'absent') return [];
  const kind = /\.(?:md|markdown)$/i.test(name) ? 'markdown' : 'text';
  const isText = file.kind === 'text';
  return [
    {
      name,
      kind,
      text: isText ? file.text : null,
      cut: isLong && isText,
      problem: isText ? null : REFUSED[file.cause],
      changed_at: isText ? toIso(Math.floor(file.modifiedMs)) : null,
    },
  ];
}

/** Names begin with the date or say what is inside: the last in order come first. */
function newest(directory: string, folder: keyof typeof SHOWN): { names: string[]; more: number } {
  const found: string[] = [];
  try {
    // The folder itself must not lead elsewhere.
    if (!lstatSync(join(directory, folder)).isDirectory()) return { names: [], more: 0 };
    const entries = opendirSync(join(directory, folder));
    try {
      for (let n = 0; n < MAX_NAMES; n += 1) {
        const entry = entries.readSync();
        if (entry === null) break;
        if (!entry.isDirectory() && PLAIN_NAME.test(entry.name)) found.push(entry.name);
      }
    } finally {
      entries.closeSync();
    }
  } catch {
    return { names: [], more: 0 };
  }
  const shown = found.sort().reverse().slice(0, SHOWN[folder]);
  return { names: shown.map((name) => join(folder, name)), more: found.length - shown.length };
}
