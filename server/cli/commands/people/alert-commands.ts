/** `loopwatch alert …`: rules that send events, and their deliveries. */
import { type Command, Option } from 'commander';
import {
  AlertDeliveryState,
  AlertReason,
  MAX_DIGEST_MINUTES,
} from '../../../../shared/schema/alerts/alerts.ts';
import { SERVICE_KINDS } from '../../../../shared/rules/alert-target-forms.ts';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import { EVENT_TYPES } from '../../../../shared/schema/events/events.ts';
import { request } from '../../client.ts';
import {
  choices,
  choicesOf,
  collect,
  type Json,
  parseSubject,
  wholeNumber,
} from '../../command-parts.ts';
import { parseTypePattern } from '../../parse-type-pattern.ts';
import { type AlertOptions, alertBody } from './parse-alert-options.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { findId } from '../../find-id.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import {
  alertLines,
  alertTable,
  deliveryLines,
  incidentLines,
  previewText,
  testText,
} from '../../print/print-alerts.ts';
import { print, printJson } from '../../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

/** As many as one answer of the daemon holds. */
const ALL = '1000';
const MAX_NAME = 80;
const ALERT = 'id, its first characters, or name';

interface LogOptions extends Zoned {
  rule?: string;
  state?: AlertDeliveryState;
  limit: number;
  json?: boolean;
}

export function addAlertCommands(program: Command): void {
  const alert = program.command('alert');

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
    .description('create an alert: a service, a webhook, or a command')
    .argument('<name>')
    .argument('[argv...]', 'after --, with --command: the program and its arguments (no shell)')
    .addOption(
      new Option('--type <pattern>', 'event type, prefix.* or * (repeatable)')
        .choices(EVENT_TYPES)
        .argParser((text: string, before: string[]) => collect(parseTypePattern(text), before))
        .default([]),
    )
    .option('--session <name>', 'only events of this session (repeatable)', collect, [])
    .option('--task <name>', 'only events of this task (repeatable)', collect, [])
    .option(
      '--subject <kind:id>',
      'only events of this subject, e.g. loop:web (repeatable)',
      (text: string, before: string[]) => collect(parseSubject(text), before),
      [],
    )
    .addOption(
      choicesOf(
        new Option('--reason <reason>', 'only events with this reason (repeatable)'),
        AlertReason.options,
      ),
    )
    .option('--webhook <url>', 'POST to this URL, signed per Standard Webhooks')
    .addOption(choices(new Option('--to <service>', 'send a message for a person'), SERVICE_KINDS))
    .option('--set <key=value>', 'field of the service, e.g. topic=night (repeatable)', collect, [])
    .option('--secret-file <file>', 'token, password or webhook URL of the service; - for stdin')
    .option(
      '--step <json>',
      'who is next without an acknowledgement; JSON or @FILE (repeatable, in order)',
      collect,
      [],
    )
    .option(
      '--digest <minutes>',
      'group repeats: at most one message in so many minutes for each type and reason',
      wholeNumber(1, MAX_DIGEST_MINUTES),
    )
    .option('--command', 'run the program after -- with the event on stdin')
    .option('--quiet <from-to>', 'quiet hours, e.g. 22:00-07:00; deliveries wait until they end')
    .option('--zone <zone>', 'zone of the quiet hours, e.g. Europe/Berlin (default: local)')
    .addOption(
      choicesOf(
        new Option(
          '--quiet-except <reason>',
          'deliver this reason in quiet hours too (repeatable)',
        ),
        AlertReason.options,
      ),
    )
    .option('--json', 'output as JSON')
    .action(async (name: string, argv: string[], options: AlertOptions & Json) => {
      const { secret, ...rule } = await request('createAlert', {
        body: alertBody(name, argv, options),
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
    .description('send a test delivery now, which is not logged; exits with 1 if it fails')
    .argument('<alert>', ALERT)
    .option('--json', 'output as JSON')
    .action(async (given: string, { json }: { json?: boolean }) => {
      const result = await request('testAlert', { params: { id: await alertId(given) } });
      if (json === true) printJson(result);
      if (!result.ok) throw new CliError(ExitCode.failed, testText(result));
      if (json !== true) print(testText(result));
    });

  alert
    .command('incidents')
    .description('list what waits for an acknowledgement, newest first')
    .option('--all', 'also what was acknowledged')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async ({ all, json, utc }: { all?: boolean } & Json & Zoned) => {
      const query = { state: all === true ? 'all' : 'open', limit: ALL } as const;
      const { incidents } = await request('listAlertIncidents', { query });
      if (json === true) return printJson(incidents);
      if (incidents.length === 0) return print('nothing to acknowledge');
      const time = timeIn({ utc });
      print(incidents.flatMap((incident) => incidentLines(incident, time)).join('\n'));
    });

  alert
    .command('ack')
    .description('acknowledge an incident, so that no further step begins')
    .argument('<id>', 'id from `loopwatch alert incidents`, or its first characters')
    .action(async (given: string) => {
      const { incidents } = await request('listAlertIncidents', {
        query: { state: 'all', limit: ALL },
      });
      const id = findId(given, incidents, 'incident');
      const { acknowledged_by } = await request('acknowledgeIncident', { params: { id } });
      print(`${id}: acknowledged by ${oneLine(acknowledged_by ?? '', MAX_NAME)}`);
    });

  alert
    .command('preview')
    .description('show what the target would receive for the newest event; sends nothing')
    .argument('<alert>', ALERT)
    .option('--json', 'output as JSON')
    .action(async (given: string, { json }: { json?: boolean }) => {
      const preview = await request('previewAlert', { params: { id: await alertId(given) } });
      if (json === true) return printJson(preview);
      print(previewText(preview));
    });

  alert
    .command('log')
    .description('list deliveries, newest first')
    .option('--rule <alert>', `only deliveries of this alert (${ALERT})`)
    .addOption(
      choices(new Option('--state <state>', 'only this state'), AlertDeliveryState.options),
    )
    .option('--limit <n>', 'maximum number of deliveries', wholeNumber(1, 1_000), 100)
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async ({ json, utc, ...wanted }: LogOptions) => {
      const rule = wanted.rule === undefined ? undefined : await alertId(wanted.rule);
      const query = { ...wanted, rule, limit: String(wanted.limit) };
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
    .argument('<id>', 'delivery id from `loopwatch alert log`, or its first characters')
    .action(async (given: string) => {
      const { deliveries } = await request('listAlertDeliveries', { query: { limit: ALL } });
      // An older one than those listed has to be whole, and the daemon says whether it is there.
      const isListed = deliveries.some((each) => each.id.startsWith(given));
      const id = isListed ? findId(given, deliveries, 'delivery') : given;
      const { state } = await request('retryAlertDelivery', { params: { id } });
      print(`${id}: ${state}`);
    });
}

async function alertId(given: string): Promise<string> {
  return findId(given, (await request('listAlerts', {})).alerts, 'alert');
}
