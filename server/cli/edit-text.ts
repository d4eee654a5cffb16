/** A text in the editor of the person at the terminal. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError, ExitCode } from './exit-code.ts';

/**
 * Opens a copy of `text` in $VISUAL, $EDITOR or vi, and resolves to what was saved. `name` is that of
 * the file, for the editor to know its kind. Throws a CliError when the editor fails.
 */
export async function editText(text: string, name: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'loopwatch-'));
  const file = join(directory, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const editor = process.env['VISUAL'] || process.env['EDITOR'] || 'vi';
    const code = await run(editor, file);
    if (code === 0) return readFileSync(file, 'utf8');
    throw new CliError(
      ExitCode.failed,
      `the editor "${editor}" exited with ${code}; nothing was changed. Set EDITOR to your editor`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function run(editor: string, file: string): Promise<number> {
  return new Promise((done) => {
    // The variable may hold options, and is the person's own words: as git does it.
    const words = ['-c', `${editor} "$@"`, editor, file];
    const child = spawn('/bin/sh', words, { stdio: 'inherit' });
    child.on('error', () => done(-1));
    child.on('close', (code) => done(code ?? -1));
  });
}
