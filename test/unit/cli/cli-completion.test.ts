/** What completion offers for a command line, without a daemon. */
import { expect, it } from 'vitest';
import { createProgram, leavesOf, parse } from '../../../server/cli/cli.ts';
import { complete } from '../../../server/cli/completion/candidates.ts';
import { RespawnConfigChange } from '../../../shared/schema/loops/respawn.ts';
import { USAGE_GROUPS } from '../../../shared/schema/usage/usage.ts';

const EVERY = await createProgram();

const complement = (...words: string[]) => {
  const { candidates, ...rest } = complete(EVERY, words);
  return { values: candidates.map(({ value }) => value), ...rest };
};

it('CL44 completion knows nouns, verbs, options and choices, and which names are live', () => {
  expect(complement('lo').values).toEqual(['login', 'logs', 'loop']);
  expect(complement('loop', 'st').values).toEqual(['start', 'stop']);
  expect(complement('loop', 'start', 'dir', '--max').values).toEqual(['--max-iterations']);
  expect(complement('loop', 'start', '--session', '')).toEqual({
    values: [],
    live: 'session',
    paths: null,
  });
  expect(complement('loop', 'start', '--max-iterations', '')).toEqual({
    values: [],
    live: null,
    paths: null,
  });
  expect(complement('loop', 'start', '')).toEqual({ values: [], live: null, paths: 'directories' });
  expect(complement('session', 'open', 'x', '/et').paths).toBe('directories');
  expect(complement('classify', 'a', '').paths).toBe('files');
  expect(complement('task', 'create', 'a', '--root', '').paths).toBe('directories');
  expect(complement('loop', 'stop', '')).toEqual({ values: [], live: 'loop', paths: null });
  expect(complement('loop', 'why', '').live).toBe('session');
  expect(complement('session', 'screen', '--ansi', 'w').live).toBe('session');
  expect(complement('task', 'log', '').live).toBe('task');
  expect(complement('task', 'log', 'a', '')).toEqual({ values: [], live: null, paths: null });
  expect(complement('attention', 'answer', '').live).toBe('item');
  expect(complement('alert', 'test', '').live).toBe('alert');
  expect(complement('people', 'role', '').live).toBe('member');
  expect(complement('task', 'create', 'a', '--after', '').live).toBe('task');
  expect(complement('alert', 'log', '--rule', '').live).toBe('alert');
  expect(complement('alert', 'log', '--state', '').values).toEqual(['waiting', 'sent', 'dead']);
  expect(complement('task', '-o', 'j').values).toEqual(['json', 'jsonl']);
  expect(complement('watch', '--types', 'auto.f').values).toEqual(['auto.failed']);
  expect(complement('people', 'role', 'Mia', 'o').values).toEqual(['operator']);
  expect(complement('help', 'al').values).toEqual(['alert']);
  expect(complement('help', 'loop', 'st').values).toEqual(['start', 'stop']);
  expect(complement('help', 'status', '').values).toEqual([]);
  expect(complement('task', '--q').values).toEqual(['--quiet']);
  expect(complement('completion', '').values).toEqual(['bash', 'zsh', 'fish']);
  expect(complement('').values).not.toContain('__complete');
  expect(complement('nonsense', '')).toEqual({ values: [], live: null, paths: null });
});

it('CL44 completes after a blank, where the last word is empty', async () => {
  const program = await createProgram();
  let typed: unknown;
  for (const leaf of leavesOf(program)) leaf.action((words: unknown) => void (typed = words));
  await parse(program, ['__complete', '--', 'run', 'show', '']);
  expect(typed).toEqual(['run', 'show', '']);
});

it('CL44 completion knows the groups of usage, the keys of respawn and --option=value', () => {
  expect(complement('usage', '--by', '').values).toEqual(['day', ...USAGE_GROUPS.slice(1)]);
  expect(complement('usage', '--by', 'p').values).toEqual(['project', 'person']);
  expect(complement('respawn', 'config', 'web', '--set', 'send_i').values).toEqual([
    'send_init=true',
    'send_init=false',
  ]);
  const keys = complement('respawn', 'start', 'web', '--set', '').values.map(
    (pair) => pair.split('=')[0] ?? '',
  );
  expect([...new Set(keys)]).toEqual(Object.keys(RespawnConfigChange.shape));
  expect(complement('alert', 'log', '--state=d').values).toEqual(['--state=dead']);
  expect(complement('alert', 'log', '--json=d').values).toEqual([]);
  expect(complement('usage', '--no-such=').values).toEqual([]);
});
