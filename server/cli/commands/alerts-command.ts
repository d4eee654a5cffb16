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
  const alerts = program.command('alerts').description('manage alerts and their deliveries');

  alerts
    .command('list', { isDefault: true })
    .description('list alerts')
    .option('--json', 'output as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { alerts: rules } = await request('listAlerts', {});
      if (json === true) return printJson(rules);
      if (rules.length === 0) return print('no alerts');
      print(rules.map((rule) => alertLines(rule).join('\n')).join('\n\n'));
    });

  alerts
    .command('add')
    .description('create an alert: a webhook, or a command')
    .argument('<name>')
    .argument('[argv...]', 'after --, with --command: the program and its arguments (no shell)')
    .option('--type <pattern>', 'event type, prefix.* or * (repeatable)', collect, [])
    .option('--session <name>', 'only events of this session (repeatable)', collect, [])
    .option('--task <name>', 'only events of this task (repeatable)', collect, [])
    .option(
      '--subject <kind:id>',
      'only events of this subject, e.g. loop:web (repeatable)',
      collect,
      [],
    )
    .option('--reason <reason>', 'only events with this reason (repeatable)', collect, [])
    .option('--webhook <url>', 'POST to this URL, signed per Standard Webhooks')
    .option('--command', 'run the program after -- with the event on stdin')
    .option('--quiet <from-to>', 'quiet hours, e.g. 22:00-07:00; deliveries wait until they end')
    .option(
      '--zone <zone>',
      "time zone of the quiet hours, e.g. Europe/Berlin (default: this machine's)",
    )
    .option(
      '--quiet-except <reason>',
      'deliver this reason in quiet hours too (repeatable)',
      collect,
      [],
    )
    .option('--json', 'output as JSON')
    .action(async (name: string, argv: string[], options: AddOptions) => {
      const { secret, ...rule } = await request('createAlert', {
        body: bodyOf(name, argv, options),
      });
      if (options.json === true) return printJson({ ...rule, secret });
      print(alertLines(rule).join('\n'));
      if (secret !== null) print(`  secret (shown only once): ${secret}`);
    });

  alerts
    .command('remove')
    .description('remove an alert, its pending deliveries and its log')
    .argument('<id>')
    .action(async (id: string) => {
      await request('deleteAlert', { params: { id } });
      print(`${id}: removed`);
    });

  for (const [word, enabled, description] of [
    ['enable', true, 'turn an alert on; pending deliveries are sent'],
    ['disable', false, 'turn an alert off until it is enabled again'],
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
    .description('send a test delivery now; exits with 1 if it fails')
    .argument('<id>')
    .option('--json', 'output as JSON')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const result = await request('testAlert', { params: { id } });
      if (json === true) printJson(result);
      if (!result.ok) throw new CliError(ExitCode.failed, testText(result));
      if (json !== true) print(testText(result));
    });

  alerts
    .command('log')
    .description('list deliveries, newest first')
    .option('--rule <id>', 'only deliveries of this alert')
    .option('--state <state>', 'only this state: waiting, sent or dead')
    .option('--limit <n>', 'maximum number of deliveries (default: 100)')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async ({ json, utc, ...query }: LogOptions) => {
      const { deliveries } = await request('listAlertDeliveries', { query });
      if (json === true) return printJson(deliveries);
      if (deliveries.length === 0) return print('no deliveries');
      const now = Date.now();
      print(
        deliveries.flatMap((delivery) => deliveryLines(delivery, now, timeIn({ utc }))).join('\n'),
      );
    });

  alerts
    .command('retry')
    .description('retry a dead delivery')
    .argument('<id>', 'delivery id from `loopwatch alerts log`')
    .action(async (id: string) => {
      const { state } = await request('retryAlertDelivery', { params: { id } });
      print(`${id}: ${state}`);
    });
}

/** The daemon judges what it holds; here only what it could not tell apart. */
function bodyOf(name: string, argv: string[], options: AddOptions): CreateAlert {
  const { type, session, task, subject, reason } = options;
  if (type.length === 0) throw usage('name the events with --type, e.g. --type auto.failed');
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
    throw usage('pass either --webhook URL, or --command -- PROGRAM [ARG...]');
  }
  if (webhook !== undefined) {
    if (argv.length > 0) throw usage('arguments after -- require --command');
    return { kind: 'webhook', url: webhook };
  }
  const [program, ...words] = argv;
  if (program === undefined) throw usage('--command requires a program after --');
  // The daemon runs it elsewhere.
  return { kind: 'command', argv: [program.includes('/') ? resolve(program) : program, ...words] };
}

function quietOf({ quiet, zone, quietExcept }: AddOptions): CreateAlert['quiet_hours'] {
  if (quiet === undefined) {
    if (zone !== undefined || quietExcept.length > 0) {
      throw usage('--zone and --quiet-except require --quiet');
    }
    return null;
  }
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(quiet) ?? [];
  if (from === undefined || to === undefined) throw usage('--quiet must look like 22:00-07:00');
  const time_zone = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const except_reasons = quietExcept.map(reasonOf);
  return { from, to, time_zone, ...(except_reasons.length === 0 ? {} : { except_reasons }) };
}

function reasonOf(word: string): Reason {
  const parsed = Reason.safeParse(word);
  if (parsed.success) return parsed.data;
  throw usage(`"${word}" is not one of ${Reason.options.join(', ')}`);
}
