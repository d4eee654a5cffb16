/** The plugin: manifests that lead to files, and texts whose commands exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { QUIET_STEPS } from '../../../server/agents/launch/step-access.ts';
import { routeAfter } from '../../../shared/rules/loops/loop-routing.ts';
import { KNOWN_LOOPS } from '../../../shared/rules/loops/known-loops.ts';
import { ROUTES } from '../../../shared/rules/loops/loop-steps.ts';
import {
  GUIDES,
  pluginDirectory,
  readGuide,
} from '../../../server/agents/launch/plugin-directory.ts';
import { createProgram } from '../../../server/cli/cli.ts';
import { packageRoot, packageVersion } from '../../../server/lib/package-root.ts';

const COMMANDS = join(pluginDirectory(), 'commands');
const TEXTS = new Map(
  readdirSync(COMMANDS).map((name) => [name, readFileSync(join(COMMANDS, name), 'utf8')]),
);

interface Marketplace {
  name: string;
  plugins: { name: string; source: string }[];
}

function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

/** `loopwatch step …` in a code span or on a line of a block, with something in place of each name. */
const LINES = [...TEXTS].flatMap(([file, text]) =>
  [...text.matchAll(/(?:`|^)(loopwatch step [^`\n]*)/gm)]
    .map(([, line = '']) => line)
    .filter((line) => !line.includes('…') && line !== 'loopwatch step')
    .map((line) => ({ file, line })),
);

const FILLED: Record<string, string> = { DIR: '/tasks/x', N: '3', NEXT: 'plan', '@FILE': '@/t' };

function wordsOf(line: string): string[] {
  const words = line.split(/\s+/).map((word) => word.replaceAll("'", ''));
  return words.slice(1).map((word) => FILLED[word] ?? word);
}

/** The command of these words and what remains for it. */
function find(program: Command, words: readonly string[]): [Command, string[]] {
  const child = program.commands.find((each) => each.name() === words[0]);
  return child === undefined ? [program, [...words]] : find(child, words.slice(1));
}

it('LS25 the plugin is installed from this repository, and its version is that of the package', () => {
  const market = readJson(packageRoot(), '.claude-plugin/marketplace.json') as Marketplace;
  expect(market.name).toBe('loopwatch');
  for (const { name, source } of market.plugins) {
    const directory = join(packageRoot(), source);
    expect(directory).toBe(pluginDirectory());
    const manifest = readJson(directory, '.claude-plugin/plugin.json');
    expect(manifest).toMatchObject({ name, version: packageVersion() });
  }
});

it('LS25 the published package contains the plugin and its marketplace', () => {
  const { files } = readJson(packageRoot(), 'package.json') as { files: string[] };
  expect(files).toEqual(
    expect.arrayContaining(['dist/server', 'plugin', '.claude-plugin', 'server/db/migrations']),
  );
  // Written when it is packed.
  const built = files.filter((name) => name !== 'dist/native');
  for (const name of built) expect(existsSync(join(packageRoot(), name))).toBe(true);
});

it('LS10 each command has a description, and needs no permission for the steps', () => {
  expect([...TEXTS.keys()].sort()).toEqual(
    ['auto', 'cancel', 'init', ...GUIDES].map((name) => `${name}.md`).sort(),
  );
  expect(KNOWN_LOOPS.loopwatch.command).toBe('/loopwatch:auto');
  for (const [file, text] of TEXTS) {
    const head = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
    expect([file, head]).toEqual([file, expect.stringMatching(/^description: \S/)]);
    expect(head).toContain('argument-hint: <taskDir>');
    const rules = QUIET_STEPS.map((verb) => `Bash(loopwatch step ${verb}:*)`);
    expect(head).toContain(`allowed-tools: ${rules.join(', ')}, Bash(printenv LOOPWATCH_BIN)`);
    expect(text).toContain('$ARGUMENTS');
  }
});

it.each(LINES)('LS10 $file: $line', async ({ line }) => {
  const [command, rest] = find(await createProgram(), wordsOf(line));
  expect(command.parent?.name()).toBe('step');
  expect(command.parseOptions(rest)).toEqual({ operands: [], unknown: [] });
  const missing = command.options.filter(
    (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
  );
  expect(missing.map(({ long }) => long)).toEqual([]);
  if (command.name() !== 'done') return;
  const { step, result, checkpoint } = command.opts<Record<string, string>>();
  expect(routeAfter(step ?? '', result ?? '', checkpoint ?? '')).not.toHaveProperty('refused');
});

it('LS10 the texts report each step in each way the table has', async () => {
  // A command keeps the options of its last line.
  const found = await Promise.all(
    LINES.map(async ({ line }) => find(await createProgram(), wordsOf(line))),
  );
  const reported = found
    .filter(([command]) => command.name() === 'done')
    .map(([command, rest]) => {
      command.parseOptions(rest);
      const { step = '', result = '', checkpoint = '' } = command.opts<Record<string, string>>();
      return `${step} ${result} ${checkpoint}`;
    });
  const checks = ROUTES.filter(({ step }) => step === 'check').flatMap(({ step, result, at }) =>
    at.filter((each) => each !== '').map((each) => `${step} ${result} ${each}`),
  );
  const others = ROUTES.filter(({ step, result }) => step !== 'check' && result !== '*').map(
    ({ step, result }) => `${step} ${result} `,
  );
  expect([...new Set(reported)].sort()).toEqual(
    [...checks, ...others, 'plan (generated) ', 'report (generated) '].sort(),
  );
});

it('LS26 a guide is the text of its command, for one task directory', () => {
  for (const guide of GUIDES) {
    const text = readGuide(guide, '/tasks/$& x');
    expect(text).toMatch(new RegExp(`^# Step: ${guide}\n`));
    expect(text).toContain('Task directory (DIR): `/tasks/$& x`.');
  }
});
