/** `loopwatch alert …`: rules that send events, and their deliveries. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AlertTarget, CreateAlert } from '../../../shared/schema/alerts.ts';
import { Reason } from '../../../shared/schema/reasons.ts';
import { request } from '../client.ts';
import { collect, usage } from '../command-parts.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { findId } from '../find-id.ts';
import { type Output, printList, printOne } from '../print/output.ts';
import { alertLines, alertTable, deliveryLines, testText } from '../print/print-alerts.ts';
import { print, printJson } from '../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';

const ALERT = 'id, its first characters, or name';

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

export function addAlertCommands(program: Command): void {
  const alert = program.command('alert').description('manage alerts and their deliveries');

  alert
    .command('ls')
    .description('list alerts')
    .option('-q, --quiet', 'print only the ids')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const { alerts: rules } = await request('listAlerts', {});
      printList(rules, options, { id: ({ id }) => id, lines: alertTable, none: 'no alerts' });
    });

  alert
    .command('show')
    .description('show an alert: its events, target and quiet hours')
    .argument('<alert>', ALERT)
    .option('--json', 'output as JSON')
    .action(async (given: string, options: Output) => {
      const { alerts: rules } = await request('listAlerts', {});
      const id = findId(given, rules, 'alert');
      const shown = rules.filter((rule) => rule.id === id);
      printOne(shown[0], options, () => shown.flatMap(alertLines));
    });

  alert
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

  alert
    .command('remove')
    .description('remove an alert, its pending deliveries and its log')
    .argument('<alert>', ALERT)
    .action(async (given: string) => {
      const id = await alertId(given);
      await request('deleteAlert', { params: { id } });
      print(`${id}: removed`);
    });

  for (const [word, enabled, description] of [
    ['enable', true, 'turn an alert on; pending deliveries are sent'],
    ['disable', false, 'turn an alert off until it is enabled again'],
  ] as const) {
    alert
      .command(word)
      .description(description)
      .argument('<alert>', ALERT)
      .action(async (given: string) => {
        const id = await alertId(given);
        await request('changeAlert', { params: { id }, body: { enabled } });
        print(`${id}: ${word}d`);
      });
  }

  alert
    .command('test')
    .description('send a test delivery now; exits with 1 if it fails')
    .argument('<alert>', ALERT)
    .option('--json', 'output as JSON')
    .action(async (given: string, { json }: { json?: boolean }) => {
      const result = await request('testAlert', { params: { id: await alertId(given) } });
      if (json === true) printJson(result);
      if (!result.ok) throw new CliError(ExitCode.failed, testText(result));
      if (json !== true) print(testText(result));
    });

  alert
    .command('log')
    .description('list deliveries, newest first')
    .option('--rule <alert>', `only deliveries of this alert (${ALERT})`)
    .option('--state <state>', 'only this state: waiting, sent or dead')
    .option('--limit <n>', 'maximum number of deliveries (default: 100)')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async ({ json, utc, ...wanted }: LogOptions) => {
      const rule = wanted.rule === undefined ? undefined : await alertId(wanted.rule);
      const query = { ...wanted, rule };
      const { deliveries } = await request('listAlertDeliveries', { query });
      if (json === true) return printJson(deliveries);
      if (deliveries.length === 0) return print('no deliveries');
      const now = Date.now();
      print(
        deliveries.flatMap((delivery) => deliveryLines(delivery, now, timeIn({ utc }))).join('\n'),
      );
    });

  alert
    .command('retry')
    .description('retry a dead delivery')
    .argument('<id>', 'delivery id from `loopwatch alert log`')
    .action(async (id: string) => {
      const { state } = await request('retryAlertDelivery', { params: { id } });
      print(`${id}: ${state}`);
    });
}

async function alertId(given: string): Promise<string> {
  return findId(given, (await request('listAlerts', {})).alerts, 'alert');
}

/** Checks only what the daemon could not; it validates the rest. */
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
