/** `loopwatch run stop|input|plan|accept`: a person's part in a run at work. */
import type { Command } from 'commander';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { readHome } from '../../lib/config/config.ts';
import { findDaemon, request } from '../client.ts';
import { type Json, textArgument } from '../command-parts.ts';
import { type Output, printOne } from '../print/output.ts';
import { print, printJson } from '../print/print.ts';
import { findRunId, findStoredId } from './find-run-id.ts';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError, ExitCode } from '../exit-code.ts';

export function addSteerCommands(run: Command): void {
  run
    .command('stop')
    .description('stop a run; its worktree, branch and conversations are kept')
    .argument('<run>', 'id of the run, or its first characters')
    .option('--reason <text>', 'why, for its report')
    .option('--json', 'output as JSON')
    .action(async (given: string, { reason, ...options }: Output & { reason?: string }) => {
      const id = findRunId(given);
      const stopped = await request('stopRun', { params: { id }, body: { reason } });
      const next = `resume it with: loopwatch run resume ${id}`;
      printOne(stopped, options, () => `${id}: ${stopped.status}; ${next}`);
    });

  run
    .command('input')
    .description('send text to a run, ahead of any automatic message')
    .argument('<run>', 'id of the run, or its first characters')
    .argument('<text>', 'the text (- reads stdin, @FILE reads a file)')
    .option('--now', 'interrupt the current turn and deliver it immediately')
    .option('--json', 'output as JSON')
    .action(async (given: string, text: string, options: Output & { now?: boolean }) => {
      const params = { id: findRunId(given) };
      const body = { input: textArgument(text), interrupt: options.now === true };
      const sent = await request('sendRunInput', { params, body });
      printOne(sent, options, () => `${sent.id}: queued for ${params.id}`);
    });

  run
    .command('plan')
    .description(
      'print the plan of a run (also without a daemon), or edit it while it waits for review',
    )
    .argument('<run>', 'id of the run, or its first characters')
    .option('--edit', 'open it in $EDITOR')
    .option('--json', 'output as JSON')
    .action(async (given: string, { edit, json }: Json & { edit?: boolean }) => {
      const isFromFiles = edit !== true && findDaemon() === null;
      const id = isFromFiles ? findStoredId(given) : findRunId(given);
      const plan = isFromFiles
        ? (await import('../../runs/stored-run.ts')).storedPlan(readHome(), id)
        : await request('getRunPlan', { params: { id } });
      if (edit !== true) return json === true ? printJson(plan) : print(plainText(plan.text));
      const text = await editText(plan.text, 'plan.md');
      const accept = `accept it with: loopwatch run accept ${id}`;
      if (text.trim() === plan.text.trim()) return print(`${id}: plan unchanged; ${accept}`);
      const body = { text, hash: plan.hash };
      const edited = await request('editRunPlan', { params: { id }, body });
      if (json === true) printJson(edited);
      else print(`${id}: plan saved; ${accept}`);
    });

  run
    .command('accept')
    .description('accept the plan of a run as it is now; the run continues')
    .argument('<run>', 'id of the run, or its first characters')
    .option('--json', 'output as JSON')
    .action(async (given: string, options: Output) => {
      const id = findRunId(given);
      const { hash } = await request('getRunPlan', { params: { id } });
      const begun = await request('acceptRunPlan', { params: { id }, body: { hash } });
      const next = `follow it with: loopwatch run follow ${id}`;
      printOne(begun, options, () => `${id}: plan accepted; ${next}`);
    });
}

/**
 * Opens a copy of `text` in $VISUAL, $EDITOR or vi, and resolves to what was saved. `name` is that of
 * the file, for the editor to know its kind. Throws a CliError when the editor fails.
 */
async function editText(text: string, name: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'loopwatch-'));
  const file = join(directory, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const editor = process.env['VISUAL'] || process.env['EDITOR'] || 'vi';
    const code = await runEditor(editor, file);
    if (code === 0) return readFileSync(file, 'utf8');
    throw new CliError(
      ExitCode.failed,
      `the editor "${editor}" exited with ${code}; nothing was changed. Set EDITOR to your editor`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runEditor(editor: string, file: string): Promise<number> {
  return new Promise((done) => {
    // The variable may hold options, and is the person's own words: as git does it.
    const words = ['-c', `${editor} "$@"`, editor, file];
    const child = spawn('/bin/sh', words, { stdio: 'inherit' });
    child.on('error', () => done(-1));
    child.on('close', (code) => done(code ?? -1));
  });
}
