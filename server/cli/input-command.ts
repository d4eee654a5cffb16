/** `loopwatch input …`: text into a session, and what became of it. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { DELIVERY_REASON_TEXT, DELIVERY_TEXT } from '../../shared/delivery-text.ts';
import type { Input } from '../../shared/model.ts';
import { messageOf } from '../lib/app-error.ts';
import { request } from './client.ts';
import { CliError, ExitCode } from './exit-code.ts';

export function addInputCommand(program: Command): void {
  program
    .command('input')
    .description('type into a session, now or as soon as its agent can take it')
    .argument('<session>')
    .argument('[text]', 'the text; without it, or with "-", it is read from stdin')
    .option('--no-submit', 'do not press Enter behind it')
    .option('--list', 'show what is and was on its way')
    .option('--cancel <id>', 'take back an input that is still held')
    .option('--json', 'as JSON')
    .action(input);
}

async function input(
  id: string,
  given: string | undefined,
  options: { submit: boolean; list?: boolean; cancel?: string; json?: boolean },
): Promise<void> {
  const params = { id };
  if (options.list === true) {
    const { inputs } = await request('listInputs', { params });
    print(inputs, options.json === true);
  } else if (options.cancel !== undefined) {
    const cancelled = { ...params, input: options.cancel };
    print([await request('cancelInput', { params: cancelled })], options.json === true);
  } else {
    const text = given === undefined || given === '-' ? readStdin() : given;
    const body = { text, submit: options.submit };
    const sent = await request('sendInput', { params, body });
    if (options.json === true) process.stdout.write(`${JSON.stringify(sent)}\n`);
    else process.stdout.write(`${said(sent)}\n`);
    // A script must be able to tell "typed or will be" from "was not, or nobody knows".
    if (sent.delivery === 'failed' || sent.delivery === 'unknown') {
      throw new CliError(ExitCode.failed, `input ${sent.id} was not delivered`);
    }
  }
}

function readStdin(): string {
  try {
    return readFileSync(0, 'utf8').replace(/\n$/, '');
  } catch (error) {
    throw new CliError(ExitCode.usage, `the text cannot be read from stdin: ${messageOf(error)}`);
  }
}

function print(inputs: readonly Input[], asJson: boolean): void {
  const lines = asJson
    ? inputs.map((each) => JSON.stringify(each))
    : inputs.map((each) => `${said(each)}  ${JSON.stringify(each.text.slice(0, 80))}`);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function said({ id, delivery, reason }: Pick<Input, 'id' | 'delivery' | 'reason'>): string {
  const text = `input ${id}: ${DELIVERY_TEXT[delivery]}`;
  return reason === null ? text : `${text} (${DELIVERY_REASON_TEXT[reason]})`;
}
