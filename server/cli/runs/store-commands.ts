/** `loopwatch run cleanup|export|import`: the stored sessions, with or without a daemon. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { systemClock } from '../../lib/clock.ts';
import { readHome } from '../../lib/config/config.ts';
import { findDaemon, request } from '../client.ts';
import type { ResponseOf } from '../../../shared/endpoints/call-types.ts';
import { type Json, usage } from '../command-parts.ts';
import { CliError } from '../exit-code.ts';
import { print, printJson } from '../print/print.ts';
import { findStoredId } from './find-run-id.ts';
import { RunError, RunExit } from './run-exit.ts';

const HOURS = { h: 1, d: 24, w: 7 * 24 } as const;
const MAX_HOURS = 1_000_000;

interface CleanupOptions extends Json {
  completed?: boolean;
  includeStopped?: boolean;
  stale?: boolean;
  invalid?: boolean;
  corrupt?: boolean;
  /** Hours. */
  olderThan?: number;
  dryRun?: boolean;
}

type Cleaned = ResponseOf<'cleanUpRuns'>;

export function addStoreCommands(run: Command): void {
  run
    .command('cleanup')
    .description('remove stored runs by kind; those in use are kept (also without a daemon)')
    .option('--completed', 'completed runs')
    .option('--include-stopped', 'with --completed: stopped ones too')
    .option('--stale', 'not complete and not saved for more than 24 hours')
    .option('--invalid', 'not complete and without their working directory')
    .option('--corrupt', 'those whose checkpoint is damaged')
    .option('--older-than <time>', 'only those last saved longer ago, e.g. 12h, 7d or 4w', hours)
    .option('--dry-run', 'only print what would be removed')
    .option('--json', 'output as JSON')
    .action(async (options: CleanupOptions) => {
      const cleaned = await cleanUp(options);
      if (options.json === true) printJson(cleaned);
      else print(cleanedLines(cleaned));
      if (cleaned.kept.length === 0) return;
      const kept = countText(cleaned.kept.length, 'run');
      throw new CliError(RunExit.failed, `${kept} could not be removed`);
    });

  run
    .command('export')
    .description('write the checkpoint, plan and report of a run to an archive')
    .argument('<run>', 'id of the run, or its first characters')
    .argument('<file>', 'new file, .tar.gz')
    .action(async (given: string, file: string) => {
      const id = findStoredId(given);
      const { exportSession } = await import('../../checkpoints/export-session.ts');
      await exportSession(readHome(), id, resolve(file), systemClock.now());
      print(`${id}: exported to ${plainText(resolve(file))}`);
    });

  run
    .command('import')
    .description('import a run from an archive; resume it with: loopwatch run resume')
    .argument('<file>', 'archive of: loopwatch run export')
    .option('--as <id>', 'import it under another id')
    .option('--json', 'output its checkpoint as JSON')
    .action(async (file: string, { as, json }: Json & { as?: string }) => {
      const path = resolve(file);
      if (!existsSync(path)) {
        throw new RunError(RunExit.notFound, `file ${path} does not exist; check the path`);
      }
      const { importSession } = await import('../../checkpoints/import-session.ts');
      const checkpoint = await importSession(readHome(), path, as);
      if (json === true) return printJson(checkpoint);
      const id = checkpoint.session_id;
      const { storedRun } = await import('../../runs/stored-run.ts');
      const run = storedRun(readHome(), id, systemClock.now());
      const { limitsText } = await import('./print-run.ts');
      print([
        `${id}: imported; resume it with: loopwatch run resume ${id}`,
        `  limits: ${limitsText(run)}`,
      ]);
    });
}

/** Without a daemon only files are removed; a database keeps its rows. */
async function cleanUp(options: CleanupOptions): Promise<Cleaned> {
  const { completed, stale, invalid, corrupt, includeStopped, olderThan, dryRun } = options;
  if (![completed, stale, invalid, corrupt].includes(true)) {
    throw usage('choose what to remove: --completed, --stale, --invalid or --corrupt');
  }
  if (includeStopped === true && completed !== true) {
    throw usage('--include-stopped needs --completed');
  }
  const kinds = { completed, stale, invalid, corrupt };
  const isDry = dryRun === true;
  if (findDaemon() !== null) {
    const older = olderThan === undefined ? {} : { older_than_hours: olderThan };
    const include_stopped = includeStopped === true;
    const body = { ...kinds, ...older, include_stopped, dry_run: isDry };
    return request('cleanUpRuns', { body });
  }
  const { cleanUp: cleanUpFiles } = await import('../../checkpoints/clean-up.ts');
  const olderThanMs = olderThan === undefined ? undefined : olderThan * 60 * 60_000;
  const chosen = { ...kinds, includeStopped, olderThanMs, dryRun: isDry };
  const { removed, failed } = await cleanUpFiles(readHome(), chosen, systemClock.now());
  const kept = failed.map(({ id, message }) => ({ id, why: message }));
  return { dry_run: isDry, removed, kept };
}

function cleanedLines({ dry_run, removed, kept }: Cleaned): string[] {
  const count = countText(removed.length, 'run');
  return [
    ...removed.map(({ id, why }) => `${plainText(id)}  ${plainText(why)}`),
    ...kept.map(({ id, why }) => `${plainText(id)}  kept: ${plainText(why)}`),
    dry_run ? `${count} would be removed` : `${count} removed`,
  ];
}

/** From `12h`, `7d` or `4w`. */
function hours(text: string): number {
  const [, count = '', unit = 'h'] = /^(\d{1,7})([hdw])$/.exec(text) ?? [];
  const value = Number(count) * HOURS[unit as keyof typeof HOURS];
  if (value > 0 && value <= MAX_HOURS) return value;
  throw usage(`"${text}" is not a time such as 12h, 7d or 4w`);
}
