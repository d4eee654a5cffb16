/** `loopwatch alerts …`: who is told of what, and whether it arrived. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AlertTarget, CreateAlert } from '../../../shared/schema/alerts.ts';
import { Reason } from '../../../shared/schema/reasons.ts';
import { request } from '../client.ts';
import { collect, usage } from '../command-parts.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { alertLines, deliveryLines, testText } from '../print/print-alerts.ts';
import { print, printJson } from '../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';

interface AddOptions {
  type: string[];
  session: string[];
  task: string[];
  subject: string[];
  reason: string[];
  webhook?: string;
  command?: boolean;
  quiet?: string;
  zone?: string;
  quietExcept: string[];
  json?: boolean;
}

interface LogOptions extends Zoned {
  rule?: string;
  state?: 'waiting' | 'sent' | 'dead';
  limit?: string;
  json?: boolean;
}

export function addAlertsCommands(program: Command): void {
  const alerts = program.command('alerts').description('who is told of what, and did it arrive');

  alerts
    .command('list', { isDefault: true })
    .description('the rules')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { alerts: rules } = await request('listAlerts', {});
      if (json === true) return printJson(rules);
      if (rules.length === 0) return print('nobody is told of anything');
      print(rules.map((rule) => alertLines(rule).join('\n')).join('\n\n'));
    });

  alerts
    .command('add')
    .description('tell a webhook, or run a command, from now on')
    .argument('<name>')
    .argument('[argv...]', 'behind --, with --command: the program and its words; no shell')
    .option('--type <pattern>', 'event type, prefix.* or *; repeatable', collect, [])
    .option('--session <name>', 'only of this session; repeatable', collect, [])
    .option('--task <name>', 'only of this task; repeatable', collect, [])
    .option('--subject <kind:id>', 'only about this, such as loop:web; repeatable', collect, [])
    .option('--reason <reason>', 'only for this reason; repeatable', collect, [])
    .option('--webhook <url>', 'where to POST, signed as Standard Webhooks has it')
    .option('--command', 'run the words behind -- with the event on standard input')
    .option('--quiet <from-to>', 'hold what happens in these hours, as 22:00-07:00')
    .option('--zone <zone>', 'of the quiet hours, as Europe/Berlin; default: of this machine')
    .option('--quiet-except <reason>', 'sent in quiet hours too; repeatable', collect, [])
    .option('--json', 'as JSON')
    .action(async (name: string, argv: string[], options: AddOptions) => {
      const { secret, ...rule } = await request('createAlert', {
        body: bodyOf(name, argv, options),
      });
      if (options.json === true) return printJson({ ...rule, secret });
      print(alertLines(rule).join('\n'));
      if (secret !== null) print(`  secret, shown only now: ${secret}`);
    });

  alerts
    .command('remove')
    .description('remove a rule, with what waits and its log')
    .argument('<id>')
    .action(async (id: string) => {
      await request('deleteAlert', { params: { id } });
      print(`${id}: removed`);
    });

  for (const [word, enabled, description] of [
    ['enable', true, 'tell of what happens from now on, and of what still waits'],
    ['disable', false, 'tell of nothing more until it is enabled'],
  ] as const) {
    alerts
      .command(word)
      .description(description)
      .argument('<id>')
      .action(async (id: string) => {
        await request('changeAlert', { params: { id }, body: { enabled } });
        print(`${id}: ${word}d`);
      });
  }

  alerts
    .command('test')
    .description('send a test now; ends with 1 when it did not arrive')
    .argument('<id>')
    .option('--json', 'as JSON')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const result = await request('testAlert', { params: { id } });
      if (json === true) printJson(result);
      if (!result.ok) throw new CliError(ExitCode.failed, testText(result));
      if (json !== true) print(testText(result));
    });

  alerts
    .command('log')
    .description('what was sent, waits, or was given up; newest first')
    .option('--rule <id>', 'of one rule')
    .option('--state <state>', 'waiting, sent or dead')
    .option('--limit <n>', 'how many; default: 100')
    .option('--json', 'as JSON')
    .addOption(UTC_OPTION)
    .action(async ({ json, utc, ...query }: LogOptions) => {
      const { deliveries } = await request('listAlertDeliveries', { query });
      if (json === true) return printJson(deliveries);
      if (deliveries.length === 0) return print('nothing');
      const now = Date.now();
      print(
        deliveries.flatMap((delivery) => deliveryLines(delivery, now, timeIn({ utc }))).join('\n'),
      );
    });

  alerts
    .command('retry')
    .description('try once more what was given up')
    .argument('<id>', 'of the delivery, as `loopwatch alerts log` shows it')
    .action(async (id: string) => {
      const { state } = await request('retryAlertDelivery', { params: { id } });
      print(`${id}: ${state}`);
    });
}

/** The daemon judges what it holds; here only what it could not tell apart. */
function bodyOf(name: string, argv: string[], options: AddOptions): CreateAlert {
  const { type, session, task, subject, reason } = options;
  if (type.length === 0) throw usage('say of what: --type auto.failed');
  return {
    name,
    enabled: true,
    types: type,
    sessions: session.length === 0 ? null : session,
    tasks: task.length === 0 ? null : task,
    subjects: subject.length === 0 ? null : subject,
    reasons: reason.length === 0 ? null : reason.map(reasonOf),
    quiet_hours: quietOf(options),
    target: targetOf(argv, options),
  };
}

function targetOf(argv: string[], { webhook, command }: AddOptions): AlertTarget {
  if ((webhook !== undefined) === (command === true)) {
    throw usage('give --webhook URL, or --command and the words behind --');
  }
  if (webhook !== undefined) {
    if (argv.length > 0) throw usage('the words behind -- go with --command');
    return { kind: 'webhook', url: webhook };
  }
  const [program, ...words] = argv;
  if (program === undefined) throw usage('--command needs the program and its words behind --');
  // The daemon runs it elsewhere.
  return { kind: 'command', argv: [program.includes('/') ? resolve(program) : program, ...words] };
}

function quietOf({ quiet, zone, quietExcept }: AddOptions): CreateAlert['quiet_hours'] {
  if (quiet === undefined) {
    if (zone !== undefined || quietExcept.length > 0) {
      throw usage('--zone and --quiet-except go with --quiet');
    }
    return null;
  }
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(quiet) ?? [];
  if (from === undefined || to === undefined) throw usage('say --quiet as 22:00-07:00');
  const time_zone = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const except_reasons = quietExcept.map(reasonOf);
  return { from, to, time_zone, ...(except_reasons.length === 0 ? {} : { except_reasons }) };
}

function reasonOf(word: string): Reason {
  const parsed = Reason.safeParse(word);
  if (parsed.success) return parsed.data;
  throw usage(`"${word}" is not one of ${Reason.options.join(', ')}`);
}
