/** The command line without a daemon: names, old spellings, examples, tables. */
import type { Command } from 'commander';
import { CommanderError } from 'commander';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { cliPage } from '../../../reference/cli-page.ts';
import { createProgram, leavesOf, parse, pathOf } from '../../../server/cli/cli.ts';
import { isHidden } from '../../../server/cli/command-parts.ts';
import { currentSpelling, DEFAULT_VERB } from '../../../server/cli/current-spelling.ts';
import { RefusedError } from '../../../server/cli/client.ts';
import { EXAMPLES } from '../../../server/cli/examples.ts';
import { findId } from '../../../server/cli/find-id.ts';
import { refusalText } from '../../../server/cli/refusal-text.ts';
import { tableLines } from '../../../server/cli/print/table.ts';

const EVERY = await createProgram();
/** Commands that people see. */
const LEAVES = leavesOf(EVERY).filter((command) => !isHidden(command));

it('CL41 every command has two examples, and every example is a command', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(LEAVES.map(pathOf).sort());
});

it.each(Object.values(EXAMPLES).flat())('CL41 the parser takes the example: %s', async (line) => {
  const program = await createProgram();
  for (const leaf of leavesOf(program)) leaf.action(() => undefined);
  for (const words of commandsIn(line)) {
    expect(currentSpelling(words)).toEqual(words);
    await program.parseAsync(words, { from: 'user' });
  }
});

it.each([
  [['auto', 'start', 'd'], 'loop start d'],
  [['auto', 'status', '--json'], 'loop ls --json'],
  [['auto', 'status', 'web', '--json'], 'loop show web --json'],
  [['auto', 'stop', 'web'], 'loop stop web'],
  [['why', 'web'], 'loop why web'],
  [['history', '--limit', '3'], 'history --limit 3'],
  [['restart', 'web'], 'loop restart web'],
  [['input', 'web', 'auto'], 'session input web auto'],
  [['screen', 'web'], 'session screen web'],
  [['attach', 'web'], 'session attach web'],
  [['record', 'web', 'start'], 'session record web start'],
  [['interrupt', 'web'], 'session interrupt web'],
  [['attention', '--all'], 'attention show --all'],
  [['answer', 'id', 'allow'], 'attention answer id allow'],
  [['alerts'], 'alert ls'],
  [['alerts', 'list', '--json'], 'alert ls --json'],
  [['task', 'list', '--status', 'failed'], 'task ls --status failed'],
  [['people'], 'people ls'],
  [['task', '--help'], 'task --help'],
  [['help'], 'help'],
  [['status'], 'status'],
  [[], ''],
])('CL42 %j keeps working', (words, now) => {
  expect(currentSpelling(words).join(' ')).toBe(now);
});

it('CL42 the default verb of each noun exists', () => {
  const paths = LEAVES.map(pathOf);
  const nouns = Object.entries(DEFAULT_VERB).map(([noun, verb]) => `${noun} ${verb}`);
  expect(nouns.filter((path) => !paths.includes(path))).toEqual([]);
});

it.each([
  [['lop'], 'loop'],
  [['loop', 'strat', 'd'], 'start'],
  [['task', 'lgo', 'x'], 'log'],
  [['loop', 'start', 'd', '--sesion', 'x'], '--session'],
  [['alert', 'delete', 'x'], 'remove'],
  [['alert', 'rm', 'x'], 'remove'],
  [['task', 'remove', 'x'], 'delete'],
  [['session', 'delete', 'x'], 'close'],
  [['loop', 'close', 'x'], 'stop'],
  [['prompt', 'new'], 'add'],
  [['session', 'list'], 'ls'],
  [['lop', '--help'], 'loop'],
  [['loop', 'strat', '--help'], 'start'],
  [['loop', 'strat', 'd', '-h'], 'start'],
  [['alert', 'rm', '--help'], 'remove'],
  [['help', 'lop'], 'loop'],
  [['help', 'loop', 'strat'], 'start'],
  [['help', 'task', 'rm'], 'delete'],
])('CL43 %j suggests %s', async (words, nearest) => {
  const program = await createProgram();
  let text = '';
  for (const command of allOf(program))
    command.configureOutput({ writeErr: (part) => (text += part) });
  await expect(parse(program, words)).rejects.toMatchObject({ exitCode: 1 });
  expect(text).toContain(`Did you mean ${nearest}?`);
});

it('CL43 an unknown verb lists all verbs of its noun', async () => {
  const program = await createProgram();
  let text = '';
  for (const command of allOf(program))
    command.configureOutput({ writeErr: (part) => (text += part) });
  const parsed = program.parseAsync(['people', 'zzz'], { from: 'user' });
  await expect(parsed).rejects.toBeInstanceOf(CommanderError);
  expect(text).toContain('people has: ls, invite, role, rename, link, remove\n');
});

it.each([
  [['task', 'create'], 'loopwatch task create --help'],
  [['run', 'show'], 'loopwatch run show --help'],
  [['watch', '--typs', 'x'], 'loopwatch watch --help'],
  [['run', 'shwo'], 'loopwatch run --help'],
  [['lop'], 'loopwatch --help'],
])('CL58 %j ends with the command that prints its help', async (words, command) => {
  const program = await createProgram();
  let text = '';
  for (const each of allOf(program))
    each.configureOutput({
      writeErr: (part) => (text += part),
      outputError: (part) => (text += part),
    });
  await expect(parse(program, words)).rejects.toBeInstanceOf(CommanderError);
  expect(text).toMatch(new RegExp(`see the help: ${command}\n$`));
});

it.each([
  ['loop start d --max-iterations 0', '--max-iterations: "0" is not a whole number from 1 to 1000'],
  ['alert log --state x', '--state: "x" is not one of waiting, sent, dead'],
  ['people role Mia boss', '<role>: "boss" is not one of viewer, operator, admin'],
  ['people ls -o xml', '--output: "xml" is not one of table, json, jsonl'],
  ['watch --types auto.faild', '--types: "auto.faild" is not an event type, prefix.* or *'],
  ['task create x --description y --after a/b', '--after: "a/b" is not a valid task name'],
  ['task ls --status odd', '--status: "odd" is not one of pending, running'],
])('CL52 %s names the option, the value and what is allowed', async (line, message) => {
  const parsed = (await createProgram()).parseAsync(line.split(' '), { from: 'user' });
  await expect(parsed).rejects.toThrow(message);
});

it.each([
  [['loop', 'start', ''], '<dir>'],
  [['loop', 'why', ''], '<session>'],
  [['session', 'open', 'x', ''], '<dir>'],
  [['task', 'create', 'x', '--description', 'y', '--root', ''], '--root'],
  [['task', 'create', 'x', '--description', ''], '--description'],
  [['attention', 'answer', '', 'allow'], '<item>'],
  [['classify', 'a.txt', ''], '<file>'],
  [['backup', ''], '<file>'],
  [['step', 'entry', '--dir', ''], '--dir'],
  [['watch', '--cursor-file='], '--cursor-file'],
  [[''], '<command>'],
  [['run', ''], '<command>'],
  [['task', '', 'x'], '<command>'],
])('CL57 %j is a usage error: an empty word is a variable that is not set', async (words, name) => {
  const parsed = parse(await createProgram(), words);
  await expect(parsed).rejects.toMatchObject({
    exitCode: 2,
    message: `${name}: must not be empty`,
  });
});

it('CL57 the words of another program may be empty', async () => {
  const program = await createProgram();
  let argv: unknown;
  for (const leaf of leavesOf(program))
    leaf.action((_: string, words: unknown) => void (argv = words));
  const alert = ['alert', 'add', 'n', '--type', 'auto.failed', '--command', '--', 'say', '', 'x'];
  await parse(program, alert);
  expect(argv).toEqual(['say', '', 'x']);
});

it('CL52 a refusal of the daemon names the option as it was typed', async () => {
  const program = await createProgram();
  const add = program.commands.find((each) => each.name() === 'alert')?.commands[2] ?? program;
  add.action(() => undefined);
  await program.parseAsync(
    ['alert', 'add', 'n', '--type', 'auto.failed', '--session', 'a', '--session', 'b c'],
    { from: 'user' },
  );
  const refusal = (field: string, message: string) => {
    const details = { issues: [{ field, message }] };
    const error = { code: 'invalid_body' as const, message: `${field}: ${message}` };
    return refusalText(new RefusedError({ error: { ...error, retryable: false, details } }), add);
  };
  expect(refusal('sessions.1', 'use letters')).toBe(
    '--session: use letters, not "b c" (invalid_body)',
  );
  expect(refusal('name', 'is odd')).toBe('<name>: is odd, not "n" (invalid_body)');
  expect(refusal('target.url', 'is missing')).toBe('--webhook: is missing (invalid_body)');
  expect(refusal('elsewhere', 'is odd')).toBe('elsewhere: is odd (invalid_body)');
});

it('CL48 every ls takes -q, --json and -o, and the page of commands says what -q is for', async () => {
  const lists = LEAVES.filter((command) => command.name() === 'ls');
  // The reserve is one policy, not a list.
  const nouns = Object.keys(DEFAULT_VERB).filter((noun) => noun !== 'reserve');
  expect(lists.map(pathOf)).toHaveLength(nouns.length);
  for (const list of lists) {
    const flags = list.options.map(({ flags: each }) => each);
    const expected = ['-q, --quiet', '--json', '-o, --output <format>'];
    expect(flags, pathOf(list)).toEqual(expect.arrayContaining(expected));
  }
  expect((await cliPage()).join('\n')).toContain(
    '`ls -q` (`--quiet`) prints only the names or ids',
  );
});

it('CL45 a table is aligned by what a terminal shows, and cut to its width only there', () => {
  const rows = [
    ['web', '日本語', 'short'],
    ['long-name', 'e\u0301', 'a directory that is much too long for a narrow terminal'],
  ];
  expect(tableLines(['a', 'b', 'c'], rows, null)).toEqual([
    'A          B       C',
    'web        日本語  short',
    `long-name  e\u0301       ${rows[1]?.[2] ?? ''}`,
  ]);
  const narrow = tableLines(['a', 'b', 'c'], rows, 40);
  expect(narrow.map((line) => stringWidth(line) <= 40)).toEqual([true, true, true]);
  expect(narrow[2]).toMatch(/^long-name.*…$/);
  // The first column names the row; what no longer fits is left out from the right.
  expect(tableLines(['a', 'b', 'c'], rows, 18)[2]).toBe('long-name  e\u0301');
});

it('CL46 an id is accepted whole, by name, or by first characters that only one begins with', () => {
  const known = [
    { id: 'abc1', name: 'night' },
    { id: 'abd2', name: 'abc' },
    { id: 'f00', name: 'desk' },
  ];
  expect(findId('abc1', known, 'alert')).toBe('abc1');
  expect(findId('abc', known, 'alert')).toBe('abd2');
  expect(findId('f', known, 'alert')).toBe('f00');
  expect(() => findId('ab', known, 'alert')).toThrow('2 alerts begin with "ab"');
  expect(() => findId('x', known, 'alert')).toThrow('no alert "x"');
  expect(() => findId('', known, 'alert')).toThrow('no alert ""');
  expect(() => findId('ab', known, 'delivery')).toThrow('2 deliveries begin with "ab"');
});

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

/** The words of each `loopwatch …` in a line of a shell: up to a pipe, a redirection or its end. */
function commandsIn(line: string): string[][] {
  return [...line.matchAll(/\bloopwatch ([^|<>)]*)/g)].map(([, words = '']) =>
    [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  );
}

it('CL43 help of an unknown command is a usage error, and --version prints the version', async () => {
  const help = (await createProgram()).parseAsync(['help', 'task', 'log', 'nope'], {
    from: 'user',
  });
  await expect(help).rejects.toThrow('"task log" has no command "nope"');
  const version = (await createProgram()).configureOutput({ writeOut: () => undefined });
  await expect(version.parseAsync(['--version'], { from: 'user' })).rejects.toMatchObject({
    exitCode: 0,
  });
});
