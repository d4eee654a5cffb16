/** `loopwatch session input …`: text into a session, and its delivery; `interrupt` stops its agent's turn. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { SessionInput } from '../../../../shared/schema/requests.ts';
import {
  deliveryReasonText,
  DELIVERY_TEXT,
} from '../../../../shared/words/sessions/delivery-text.ts';
import type { Input } from '../../../../shared/schema/model.ts';
import { messageOf } from '../../../lib/app-error.ts';
import { request } from '../../client.ts';
import { usage } from '../../command-parts.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { print, printJson } from '../../print/print.ts';

interface InputOptions {
  submit: boolean;
  enter?: boolean;
  list?: boolean;
  cancel?: string;
  json?: boolean;
}

export function addInputCommand(program: Command): void {
  program
    .command('input')
    .description('type into a session, now or as soon as its agent accepts input')
    .argument('<session>')
    .argument('[text]', 'the text; omitted or "-" reads stdin')
    .option('--no-submit', 'do not press Enter after the text')
    .option('--enter', 'only press Enter')
    .option('--list', 'list recent inputs and their delivery')
    .option('--cancel <id>', 'cancel an input that is still held')
    .option('--json', 'output as JSON')
    .action(input);
}

export function addInterruptCommand(program: Command): void {
  program
    .command('interrupt')
    .description("interrupt the agent's current turn; it stays at its prompt")
    .argument('<session>')
    .action(async (id: string) => {
      await request('interruptSession', { params: { id } });
      print(`${id}: agent interrupted`);
    });
}

async function input(id: string, given: string | undefined, options: InputOptions): Promise<void> {
  const params = { id };
  if (options.list === true) {
    const { inputs } = await request('listInputs', { params });
    printInputs(inputs, options.json === true);
  } else if (options.cancel !== undefined) {
    if (!/^\d{1,15}$/.test(options.cancel)) {
      throw usage(`--cancel: "${options.cancel}" is not the id of an input; list them with --list`);
    }
    const cancelled = { ...params, input: options.cancel };
    printInputs([await request('cancelInput', { params: cancelled })], options.json === true);
  } else {
    const sent = await request('sendInput', { params, body: bodyOf(given, options) });
    const { delivery, id: number } = sent;
    // A script must be able to distinguish "typed or will be" from "was not, or unknown".
    const isLost = delivery === 'failed' || delivery === 'unknown';
    if (options.json === true) printJson(sent);
    else if (!isLost) print(said(sent));
    if (delivery === 'held' && options.json !== true) {
      print(
        `  Typed when that changes. Cancel it: loopwatch session input ${id} --cancel ${number}`,
      );
    }
    if (isLost) throw new CliError(ExitCode.failed, said(sent));
  }
}

/** An Enter can accept a dialog, so it is never what is left of a text that turned out empty. */
function bodyOf(
  given: string | undefined,
  { submit, enter }: InputOptions,
): z.input<typeof SessionInput> {
  if (enter === true) {
    if (given !== undefined || !submit)
      throw usage('--enter cannot be combined with a text or --no-submit');
    return { text: '', submit };
  }
  const text = given === undefined || given === '-' ? readStdin() : given;
  if (text === '') throw usage('the text is empty; use --enter to only press Enter');
  if (submit && text.trim() === '') {
    throw usage(
      'the text is blank; use --enter to only press Enter, or ' + '--no-submit to type the blanks',
    );
  }
  return { text, submit };
}

function readStdin(): string {
  try {
    return readFileSync(0, 'utf8').replace(/\n$/, '');
  } catch (error) {
    throw usage(`cannot read the text from stdin: ${messageOf(error)}`);
  }
}

function printInputs(inputs: readonly Input[], asJson: boolean): void {
  const lines = asJson
    ? inputs.map((each) => JSON.stringify(each))
    : inputs.map((each) => `${said(each)}  ${JSON.stringify(each.text.slice(0, 80))}`);
  print(lines);
}

function said({ id, delivery, reason }: Pick<Input, 'id' | 'delivery' | 'reason'>): string {
  const text = `input ${id}: ${DELIVERY_TEXT[delivery]}`;
  return reason === null ? text : `${text} (${deliveryReasonText(reason)})`;
}
