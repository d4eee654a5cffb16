/** `loopwatch stop`: ends the daemon and waits until it is gone. Sessions go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcess } from '../lib/process-identity.ts';
import { findDaemon, request } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';
import { print } from './print.ts';

const GONE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Throws a CliError when no daemon runs or it does not end. */
export async function stopDaemon(): Promise<void> {
  // The file may be left over and its pid somebody else's: only who answers is ended.
  const { pid } = await request('status', {});
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < GONE_WITHIN_MS; waited += LOOK_EVERY_MS) {
    if (readProcess(pid) === null && findDaemon() === null) {
      print('the daemon has ended; sessions and agents go on');
      return;
    }
    await sleep(LOOK_EVERY_MS);
  }
  throw new CliError(ExitCode.failed, `the daemon (pid ${pid}) did not end within 10 s`);
}
