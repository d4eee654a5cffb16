/** `loopwatch respawn …`: keeps sessions going, from its start to what its cycles changed. */
import { Argument, type Command, Option } from 'commander';
import { formatDuration } from '../../../../shared/words/format-duration.ts';
import { plainText } from '../../../../shared/rules/text/plain-text.ts';
import {
  MAX_RUN_MINUTES,
  RESPAWN_NUMBERS,
  RESPAWN_SWITCHES,
  type RespawnNumberKey,
} from '../../../../shared/rules/respawn/respawn-keys.ts';
import {
  RESPAWN_CHECKS,
  RESPAWN_PRESET_IDS,
  type RespawnCheck,
  type RespawnPresetId,
} from '../../../../shared/rules/respawn/respawn-names.ts';
import { RespawnConfigChange, type RespawnView } from '../../../../shared/schema/loops/respawn.ts';
import { countText } from '../../../../shared/words/count-text.ts';
import {
  CYCLE_OUTCOME_TEXT,
  respawnBlockText,
  respawnStateText,
} from '../../../../shared/words/work/respawn-text.ts';
import { choices, collect, usage, wholeNumber } from '../../command-parts.ts';
import { request } from '../../client.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { tableLines } from '../../print/table.ts';
import { timeIn, type TimeText, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

const HEAD = ['session', 'state', 'why', 'cycle', 'idle', 'ends'];

interface StartOptions extends Output {
  preset?: RespawnPresetId;
  minutes?: number;
  set: string[];
}

export function addRespawnCommands(program: Command): void {
  const respawn = program.command('respawn');
  addListCommands(respawn);

  respawn
    .command('start')
    .description('start respawn in a session that nothing else supervises')
    .argument('<session>')
    .addOption(choices(new Option('--preset <name>', 'begin with a preset'), RESPAWN_PRESET_IDS))
    .option('--minutes <n>', 'stop after this many minutes', wholeNumber(1, MAX_RUN_MINUTES))
    .addOption(setOption('change the configuration first (repeatable)'))
    .option('--json', 'output as JSON')
    .action(async (id: string, { preset, minutes, set, ...options }: StartOptions) => {
      const body = { preset, minutes, config: set.length === 0 ? undefined : parseChange(set) };
      const view = await request('startRespawn', { params: { id }, body });
      printOne(view, options, () => stateLine(view));
    });

  for (const [verb, call, description] of [
    ['stop', 'stopRespawn', 'stop respawn; it stays stopped until it is started again'],
    ['pause', 'pauseRespawn', 'pause respawn: nothing is sent, and timers keep what is left'],
    ['resume', 'resumeRespawn', 'resume respawn after a pause'],
  ] as const) {
    respawn
      .command(verb)
      .description(description)
      .argument('<session>')
      .option('--json', 'output as JSON')
      .action(async (id: string, options: Output) => {
        const view = await request(call, { params: { id } });
        printOne(view, options, () => stateLine(view));
      });
  }

  respawn
    .command('check')
    .description('turn a check on again that was switched off after errors')
    .argument('<session>')
    .addArgument(choices(new Argument('<check>'), RESPAWN_CHECKS))
    .option('--json', 'output as JSON')
    .action(async (id: string, check: RespawnCheck, options: Output) => {
      const view = await request('enableRespawnCheck', { params: { id }, body: { check } });
      printOne(view, options, () => stateLine(view));
    });

  respawn
    .command('config')
    .description('show the configuration of a session, or change it')
    .argument('<session>')
    .addOption(setOption('change a key (repeatable)'))
    .option('--json', 'output as JSON')
    .action(async (id: string, { set, ...options }: Output & { set: string[] }) => {
      const params = { id };
      const config =
        set.length === 0
          ? await request('getRespawnConfig', { params })
          : await request('changeRespawnConfig', { params, body: parseChange(set) });
      printOne(config, options, () =>
        tableLines(
          ['key', 'value'],
          Object.entries(config).map(([key, value]) => [key, plainText(String(value))]),
        ),
      );
    });
}

/** Completion offers the keys, and what a switch accepts. */
function setOption(description: string): Option {
  const keys = Object.keys(RespawnConfigChange.shape);
  const pairs = keys.flatMap((key) =>
    key in RESPAWN_SWITCHES ? [`${key}=true`, `${key}=false`] : [`${key}=`],
  );
  const option = new Option('--set <key=value>', description).choices(pairs);
  return option.argParser(collect).default([]);
}

/** `key=value` pairs. Throws a CliError (usage) that names the key. */
function parseChange(pairs: readonly string[]): RespawnConfigChange {
  const entries = pairs.map((pair) => {
    const [, key = '', text = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === '') throw usage(`--set: "${pair}" is not key=value`);
    if (!(key in RespawnConfigChange.shape)) {
      throw usage(`--set: "${key}" is not a key; list them with: loopwatch respawn config SESSION`);
    }
    return [key, valueOf(key, text)];
  });
  const parsed = RespawnConfigChange.safeParse(Object.fromEntries(entries));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const key = issue?.path.join('.') ?? '';
  throw usage(`--set: ${key} ${issue?.message ?? 'is not valid'}`);
}

/** Text that is no such value stays text, and the schema says what is wrong with it. */
function valueOf(key: string, text: string): unknown {
  if (key in RESPAWN_SWITCHES) return { true: true, false: false }[text] ?? text;
  if (isNumberKey(key)) {
    const { least, most } = RESPAWN_NUMBERS[key];
    return wholeNumber(least, most)(text);
  }
  return text === 'null' ? null : text;
}

function isNumberKey(key: string): key is RespawnNumberKey {
  return key in RESPAWN_NUMBERS;
}

function addListCommands(respawn: Command): void {
  respawn
    .command('ls')
    .description('list sessions with respawn')
    .option('-q, --quiet', 'print only the sessions')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (options: Output & Zoned) => {
      const { respawns } = await request('listRespawn', {});
      printList(respawns, options, {
        id: ({ session_name }) => session_name,
        lines: (rows) =>
          tableLines(
            HEAD,
            rows.map((row) => cells(row, timeIn(options))),
          ),
        none: 'no sessions with respawn',
      });
    });

  respawn
    .command('show')
    .description('show what respawn does in a session, and why')
    .argument('<session>')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (id: string, options: Output & Zoned) => {
      const view = await request('getRespawn', { params: { id } });
      printOne(view, options, () => respawnLines(view, timeIn(options)));
    });
}

function cells(view: RespawnView, time: TimeText): string[] {
  return [
    view.session_name,
    view.paused ? 'paused' : view.state,
    view.block === null ? '-' : respawnBlockText(view.block.reason).label,
    String(view.cycle),
    `${Math.round(view.confidence)}%`,
    view.ends_at === null ? '-' : time(view.ends_at),
  ];
}

function stateLine(view: RespawnView): string {
  const { label } = respawnStateText(view.state);
  const why = view.block === null ? '' : ` (${respawnBlockText(view.block.reason).label})`;
  return `${view.session_name}: ${view.paused ? `paused in ${label}` : label}${why}. ${view.next}`;
}

/** Its state and reason, what every layer of detection says, its last cycles and actions. */
function respawnLines(view: RespawnView, time: TimeText): string[] {
  const lines = [stateLine(view)];
  if (view.started_at !== null) {
    const by = view.started_by === '' ? '' : ` by ${plainText(view.started_by ?? '')}`;
    lines.push(`  started ${time(view.started_at)}${by}, cycle ${view.cycle}`);
  }
  if (view.seconds_left !== null) lines.push(`  ${formatDuration(view.seconds_left)} left`);
  if (view.block !== null) {
    const { label, next } = respawnBlockText(view.block.reason);
    lines.push(`  waiting since ${time(view.block.since)}: ${label}. ${next}`);
    const evidence = view.block.evidence.flatMap(({ lines: rows }) => rows);
    lines.push(...evidence.map((row) => `    ${plainText(row)}`));
  }
  if (view.layers.length > 0) {
    lines.push(`  idle: ${Math.round(view.confidence)}%`);
    const rows = view.layers.map(({ layer, holds, evidence }) => [
      `    ${layer}`,
      holds === null ? 'unknown' : holds ? 'idle' : 'no',
      plainText(evidence?.lines.join(' ') ?? '-'),
    ]);
    lines.push(...tableLines(['    layer', 'says', 'because'], rows));
  }
  for (const check of RESPAWN_CHECKS) {
    const { status, until, verdict, reasoning } = view[`${check}_check`];
    if (verdict === null && reasoning === null) continue;
    const end = until === null ? '' : ` until ${time(until)}`;
    const said = plainText(`${verdict ?? 'failed'}: ${reasoning ?? ''}`);
    lines.push(`  ${check} check: ${status}${end}, last ${said}`);
  }
  const cycles = view.cycles.slice(0, 5).map(({ cycle, started_at, outcome, ...changed }) => {
    const commits = countOf(changed.commits, 'commit');
    const end = outcome === null ? 'under way' : CYCLE_OUTCOME_TEXT[outcome];
    return `    ${cycle}  ${time(started_at)}  ${end}: ${commits}, ${countOf(changed.files, 'file')}`;
  });
  if (cycles.length > 0) lines.push('  last cycles:', ...cycles);
  return lines;
}

function countOf(count: number | null, what: string): string {
  return count === null ? `${what}s unknown` : countText(count, what);
}
