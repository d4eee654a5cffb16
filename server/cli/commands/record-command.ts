/** `loopwatch session record`: start, stop and save the recording of a session. */
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { RecordingStatus } from '../../../shared/endpoints/recording-endpoints.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { request, requestText } from '../client.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { print } from '../print/print.ts';

export function addRecordCommand(program: Command): void {
  program
    .command('record')
    .description('record a session as asciicast v2')
    .argument('<session>')
    .argument('<start|stop|save>')
    .argument('[file]', 'output file, with save')
    .action(act);
}

async function act(session: string, word: string, file?: string): Promise<void> {
  const params = { id: session };
  if (word === 'start' && file === undefined) {
    printRecording(await request('startRecording', { params }));
    return;
  }
  if (word === 'stop' && file === undefined) {
    printRecording(await request('stopRecording', { params }));
    return;
  }
  if (word !== 'save' || file === undefined) {
    throw new CliError(
      ExitCode.usage,
      'usage: loopwatch session record SESSION start|stop|save FILE',
    );
  }
  const path = resolve(file);
  writeFileAtomic(dirname(path), basename(path), await requestText('getRecording', { params }));
  print(`saved to ${path}`);
}

function printRecording({ session, state, bytes, ended }: RecordingStatus): void {
  const why = ended === null ? '' : ` (${ended})`;
  print(`${session}: ${state}${why}, ${bytes} bytes`);
}
