/** `loopwatch open`: the dashboard in the browser of the person at the terminal, logged in. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { readConfig } from '../lib/config.ts';
import { request } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';
import { print } from './print/print.ts';

const PAGE = 'open.html';

/** Throws a CliError when no browser can be started; the link is in its message. */
export async function openPage(): Promise<void> {
  const { link } = await request('createLoginCode', {});
  const { home } = readConfig();
  // Arguments of a program can be read by every user of the machine; this file by its owner alone.
  writeFileAtomic(home, PAGE, redirectTo(link));
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const code = await run(opener, pathToFileURL(join(home, PAGE)).href);
  if (code !== 0) {
    throw new CliError(ExitCode.failed, `cannot open a browser with ${opener}; open ${link}`);
  }
  print('opened in your browser; if no page appears, run: loopwatch login');
}

/** The link is of our own making: an address and a code of hex digits. */
function redirectTo(link: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Loopwatch</title><script>location.replace(${JSON.stringify(link)})</script>\n`;
}

async function run(program: string, argument: string): Promise<number> {
  return new Promise((done) => {
    const child = spawn(program, [argument], { stdio: 'ignore' });
    child.on('error', () => done(-1));
    child.on('close', (code) => done(code ?? -1));
  });
}
