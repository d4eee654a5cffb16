/** `loopwatch demo`: a whole loop of the stand-in agent, in the shell and live on the page. */
import type { Command } from 'commander';
import { DEMO_SESSION } from '../../../../shared/rules/demo.ts';
import { describeEvent } from '../../../../shared/words/events/describe-event.ts';
import type { Daemon } from '../../../daemon/daemon.ts';
import { findDaemon, request } from '../../client.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { followEvents } from '../../follow-events.ts';
import { notice, print } from '../../print/print.ts';
import { timeIn, type TimeText, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

export function addDemoCommand(program: Command): void {
  program.command('demo').addOption(UTC_OPTION).action(demo);
}

async function demo(zoned: Zoned): Promise<void> {
  const { signalled, startDaemon } = await import('../../start-daemon.ts');
  const over = new AbortController();
  const signal = signalled().then(() => over.abort());
  const daemon = (await isRunning()) ? null : await startDaemon();
  if (daemon === null) return play(null, timeIn(zoned), over.signal);
  const ended = Promise.race([signal, daemon.shutdownRequested.then(() => over.abort())]);
  try {
    await play(daemon, timeIn(zoned), over.signal);
    if (!process.stdout.isTTY || over.signal.aborted) return;
    print('demo finished; the page stays up until Ctrl-C');
    await ended;
  } finally {
    // The daemon was ours alone; no other one would find the terminal again.
    await request('deleteSession', { params: { id: DEMO_SESSION } }).catch(() => undefined);
    await daemon.close();
  }
}

async function isRunning(): Promise<boolean> {
  if (findDaemon() === null) return false;
  return request('health', {}).then(
    () => true,
    () => false,
  );
}

async function play(daemon: Daemon | null, time: TimeText, signal: AbortSignal): Promise<void> {
  if (daemon === null || !process.stdout.isTTY) {
    const { link } = await request('createLoginCode', {});
    print(`watch it live: ${link}`);
  }
  const { epoch, head } = await request('status', {});
  const { session_name: session } = await request('startDemo', {});
  const pages = followEvents({ after: `${epoch}:${head}`, session, signal, notice });
  for await (const { events } of pages) {
    for (const { event } of events) {
      print(`${time(event.at)}  ${describeEvent(event, time).text}`);
      if (event.type === 'auto.failed')
        throw new CliError(ExitCode.failed, 'the demo failed; check the lines above');
      if (event.type === 'auto.ended') return;
    }
  }
}
