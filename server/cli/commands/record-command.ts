/** `loopwatch session record`: start, stop and save the recording of a session. */
import { basename, dirname, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { RecordingStatus } from '../../../shared/endpoints/recording-endpoints.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { request, requestText } from '../client.ts';
import { choices, usage } from '../command-parts.ts';
import { print } from '../print/print.ts';

export function addRecordCommand(program: Command): void {
  program
    .command('record')
    .description('record a session as asciicast v2')
    .argument('<session>')
    .addArgument(choices(new Argument('<action>'), ['start', 'stop', 'save']))
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
  if (word !== 'save') throw usage(`${word} takes no file; only save does`);
  if (file === undefined) throw usage('save requires a file, e.g. web.cast');
  const path = resolve(file);
  writeFileAtomic(dirname(path), basename(path), await requestText('getRecording', { params }));
  print(`saved to ${path}`);
}

function printRecording({ session, state, bytes, ended }: RecordingStatus): void {
  const why = ended === null ? '' : ` (${ended})`;
  print(`${session}: ${state}${why}, ${bytes} bytes`);
}
