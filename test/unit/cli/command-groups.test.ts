/** Which commands a command line loads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Help } from 'commander';
import { expect, it } from 'vitest';
import { createProgram, leavesOf, pathOf } from '../../../server/cli/cli.ts';
import { GROUPS, wordsOf } from '../../../server/cli/command-groups.ts';
import { IMPORTS, ROOT } from '../../support/house/source-imports.ts';

it.each(GROUPS.flatMap(wordsOf))(
  'RU12 %s loads the same commands as the whole program',
  async (word) => {
    const own = await createProgram(word);
    const whole = await createProgram();
    const group = GROUPS.find((each) => wordsOf(each).includes(word));
    expect(namesOf(own).filter((name) => name !== '__complete')).toEqual(
      ['help', ...(group === undefined ? [] : wordsOf(group))].sort(),
    );
    expect(leavesOf(own).map(pathOf)).toEqual(
      leavesOf(whole)
        .map(pathOf)
        .filter((path) => namesOf(own).includes(path.split(' ')[0] ?? '')),
    );
  },
);

it('RU12 every first word belongs to one group; any other word loads the whole program', async () => {
  const words = GROUPS.flatMap(wordsOf);
  expect(new Set(words).size).toBe(words.length);
  for (const word of [undefined, '__complete', 'help', 'strat']) {
    expect(namesOf(await createProgram(word))).toEqual(['help', '__complete', ...words].sort());
  }
});

it('RU12 the list of all commands loads none of them, and says of each what its own help says', async () => {
  const list = (program: Command) => {
    const help = new Help();
    const shown = help.visibleCommands(program);
    return shown.map((each) => [help.subcommandTerm(each), each.description()]);
  };
  const quick = await createProgram('--help');
  expect(leavesOf(quick).filter(({ options }) => options.length > 0)).toEqual([]);
  expect(list(quick)).toEqual(list(await createProgram()));
});

it('RU12 a request loads neither the contract nor an HTTP client', () => {
  const loaded = loadedWith('server/cli/client.ts');
  expect(loaded).toContain('shared/rules/endpoint-lines.ts');
  expect(loaded.filter((file) => file.startsWith('shared/endpoints/'))).toEqual([]);
  const text = readFileSync(join(ROOT, 'server/cli/client.ts'), 'utf8');
  expect(text).not.toMatch(/\bfetch\(/);
});

/** Every file that a file loads, also on demand. */
function loadedWith(file: string, seen = new Set<string>()): string[] {
  seen.add(file);
  for (const each of IMPORTS) {
    if (each.file === file && !each.typeOnly && !seen.has(each.target))
      loadedWith(each.target, seen);
  }
  return [...seen];
}

function namesOf(program: Command): string[] {
  return program.commands.map((each) => each.name()).sort();
}
