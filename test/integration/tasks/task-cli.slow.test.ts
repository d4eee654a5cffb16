/** Tasks from the shell: the requests to the daemon, the output, and the exit code of each subcommand. */
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Asked, FakeDaemon, refuse } from '../../support/daemon/fake-daemon.ts';
import { inTerminal } from '../../support/terminals/in-terminal.ts';
import { taskFixture } from '../../support/tasks/task-fixture.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const TASK = '/api/v1/tasks/by-name/fix-login';
const AT = '2026-01-01T10:00:00.000Z';
const WORK = {
  task_name: 'fix-login',
  worktrees: [
    {
      path: '/srv/app/.worktrees/fix-login',
      repository: '/srv/app',
      base: 'main',
      branch: 'task/fix-login',
      exists: true,
      dirty: ['a'],
      dirty_count: 1,
      ignored_count: 0,
      unmerged_commits: 1,
      unpushed_commits: 1,
      obstacle: null,
      on_removal: ['1 file is committed first.', 'The branch stays.'],
    },
  ],
};

function said(id: number, content: string, more: object = {}) {
  return {
    id,
    type: 'claude_response',
    content,
    length: content.length,
    timestamp: AT,
    turn: 1,
    tool: null,
    is_error: false,
    author: null,
    input_tokens: null,
    output_tokens: null,
    cache_creation_tokens: null,
    cache_read_tokens: null,
    duration_ms: null,
    cost_usd: null,
    ...more,
  };
}

function page(conversation: object[], next: number | null = null) {
  const where = { total: conversation.length, next, previous: null };
  return { task_name: 'fix-login', status: 'RUNNING', conversation, ...where };
}

function status(word: string, more: object = {}) {
  const { test_cases, interactions, ...view } = taskFixture();
  const counted = { test_summary: { total: 0, passed: 0, failed: 0, pending: 0 } };
  const words = { progress: null, latest_claude_response: null };
  return { ...view, status: word, ...counted, ...words, ...more };
}

it('CL13, CL23 a task is created from a file, listed, shown and started; a refusal keeps its code', async () => {
  await using world = new World();
  await using daemon = await FakeDaemon.open(world.home);
  writeFileSync(join(world.root, 'what.md'), 'Make it\nwork\n');
  daemon
    .on('POST /api/v1/tasks', taskFixture())
    .on('GET /api/v1/tasks', [taskFixture()])
    .on(`POST ${TASK}/start`, { message: 'begun', status: 'queued' })
    .on(`POST ${TASK}/resume`, (_: Asked, response: ServerResponse) => {
      refuse(response, 400, 'wrong_task_status', 'only a stopped task is resumed: start it');
      return null;
    });
  const made = await world.cli(
    'task',
    'create',
    'fix-login',
    '--description',
    '@what.md',
    '--gate',
    'lint=npm run lint',
    '--no-tests',
    '--priority',
    '-5',
    '--max-cost',
    '2.50',
  );
  expect(made.stderr).toBe('');
  expect(made.stdout).toContain('fix-login: pending\n');
  expect(made.stdout).toContain('    loopwatch task start fix-login\n');
  expect(daemon.asked[0]?.body).toEqual({
    task_name: 'fix-login',
    description: 'Make it\nwork',
    root_folder: world.root,
    use_worktree: true,
    auto_start: false,
    max_cost_usd: 2.5,
    priority: -5,
    gates: [{ name: 'lint', command: 'npm run lint' }],
    test_commands: [],
  });
  const listed = await world.cli('task', 'list', '--status', 'pending', '--json');
  expect(JSON.parse(listed.stdout)).toEqual([taskFixture()]);
  expect(daemon.asked.at(-1)?.query).toEqual({ limit: '1000', status: 'pending' });
  expect((await world.cli('task', 'start', 'fix-login')).stdout).toBe('fix-login: queued\n');
  const refused = await world.cli('task', 'resume', 'fix-login');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'loopwatch: only a stopped task is resumed: start it (wrong_task_status)\n',
  ]);
  expect((await world.cli('task', 'show', 'fix-login')).code).toBe(4);
});

it('CL1, CL24 arguments that cannot be right are refused before any request', async () => {
  await using world = new World();
  await using daemon = await FakeDaemon.open(world.home);
  for (const words of [
    ['show', '../status'],
    ['create', 'x'],
    ['create', 'x', '--description', '@nowhere'],
    ['list', '--status', 'done'],
    ['say', 'x', 'look', '--image', 'a.pdf'],
    ['retry', 'x', '--cost', '-1'],
  ]) {
    const { code, stderr } = await world.cli('task', ...words);
    expect([words, code]).toEqual([words, 2]);
    expect(stderr).not.toBe('');
  }
  expect(daemon.lines).toEqual([]);
});

it('CL16, CL27 a removal says what will happen to the work, and without a terminal does nothing unless --yes is given', async () => {
  await using world = new World();
  await using daemon = await FakeDaemon.open(world.home);
  daemon
    .on(`GET ${TASK}/worktree`, WORK)
    .on(`DELETE ${TASK}`, { message: 'removed', worktree_cleanup: ['kept as refs/kept/1'] })
    .on(`DELETE ${TASK}/worktree`, {
      message: 'removed',
      task_preserved: true,
      auto_stopped: true,
      cleanup_performed: true,
      git_cleanup: [],
    })
    .on(`POST ${TASK}/clear-and-restart`, {
      message: 'begun',
      status: 'running',
      deleted_interactions: 4,
      git_cleanup: [],
    });
  for (const word of ['delete', 'clear', 'delete-worktree']) {
    const { code, stderr } = await world.cli('task', word, 'fix-login');
    expect([word, code]).toEqual([word, 2]);
    expect(stderr).toContain('    1 file is committed first.\n    The branch stays.\n');
    expect(stderr).toContain('re-run with --yes');
  }
  expect(daemon.lines.filter((line) => !line.startsWith('GET '))).toEqual([]);
  const removed = await world.cli('task', 'delete', 'fix-login', '--yes');
  expect(removed.stdout).toBe('fix-login: removed\n  kept as refs/kept/1\n');
  expect(daemon.asked.at(-1)?.query).toEqual({ cleanup_worktree: 'true' });
  const kept = await world.cli('task', 'delete', 'fix-login', '--yes', '--keep-worktree');
  expect(kept.stderr).toContain('Keeps its worktrees.');
  expect(daemon.asked.at(-1)?.query).toEqual({ cleanup_worktree: 'false' });
  await world.cli('task', 'delete-worktree', 'fix-login', '--yes', '--stop');
  expect(daemon.asked.at(-1)?.query).toEqual({ auto_stop: 'true' });
  expect((await world.cli('task', 'clear', 'fix-login', '--yes')).stdout).toBe(
    'fix-login: running\n',
  );
  // A missing repository must not make the task impossible to remove.
  daemon.on(`GET ${TASK}/worktree`, (_: Asked, response: ServerResponse) => {
    refuse(response, 500, 'git_failed', 'git says no');
    return null;
  });
  const output = await world.cli('task', 'delete', 'fix-login', '--yes');
  expect(output.code).toBe(0);
  expect(output.stderr).toContain('Cannot determine what happens to its work: git says no');
});

it('CL13 input is sent with its images, and a prompt is kept and read', async () => {
  await using world = new World();
  await using daemon = await FakeDaemon.open(world.home);
  writeFileSync(join(world.root, 'a.png'), 'png');
  const prompt = {
    id: 'p',
    title: 'Tidy',
    content: 'Tidy up',
    category: null,
    tags: 'a,b',
    criteria_config: null,
    usage_count: 0,
    last_used_at: null,
    created_at: AT,
    updated_at: AT,
  };
  daemon
    .on(`POST ${TASK}/user-input`, { id: 'i', message: 'It is sent\u001b at once' })
    .on('POST /api/v1/prompts', prompt)
    .on('GET /api/v1/prompts', [prompt])
    .on('GET /api/v1/prompts/p', prompt);
  const output = await world.cli(
    'task',
    'say',
    'fix-login',
    'use pnpm',
    '--now',
    '--resume',
    '--image',
    'a.png',
  );
  expect(output.stdout).toBe('i  It is sent\\u{1b} at once\n');
  expect(daemon.asked[0]?.body).toEqual({
    input: 'use pnpm',
    interrupt: true,
    resume: true,
    images: [{ base64: 'cG5n', media_type: 'image/png' }],
  });
  await world.cli('prompt', 'add', 'Tidy', '--content', 'Tidy up', '--tags', 'a,b');
  expect(daemon.asked[1]?.body).toEqual({ title: 'Tidy', content: 'Tidy up', tags: 'a,b' });
  expect((await world.cli('prompt', 'show', 'p', '--content')).stdout).toBe('Tidy up\n');
});

it('CL15 log --follow prints each interaction once, over a stream that breaks off, until the task has ended', async () => {
  await using world = new World();
  await using daemon = await FakeDaemon.open(world.home);
  let streams = 0;
  daemon
    .on(`GET ${TASK}/interactions`, ({ query }: Asked) => {
      const after = Number(query['after'] ?? 0);
      // Message 4 is sent while no stream is open; 3 is lost with the first one, or arrived.
      const later = streams > 1 ? [said(3, 'three'), said(4, 'four')] : [];
      // Message 6 is stored, and its frame is after the end.
      if (after === 5) return page([said(6, 'six')]);
      const known = [said(1, 'one'), said(2, 'two'), ...later];
      return page(known.filter(({ id }) => id > after));
    })
    .on(`GET ${TASK}/stream`, (_: Asked, response: ServerResponse) => {
      streams += 1;
      const isFirst = streams === 1;
      const frames = isFirst ? [said(2, 'two'), said(3, 'three')] : [said(5, 'five')];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const one of frames) response.write(`data: ${JSON.stringify(one)}\n\n`);
      const word = isFirst ? 'RUNNING' : 'COMPLETED';
      response.write(`data: ${JSON.stringify({ type: 'status', status: word })}\n\n`, () => {
        // The second one stays open.
        if (isFirst) response.destroy();
      });
      return null;
    })
    .on(`GET ${TASK}/status`, status('COMPLETED'));
  const { code, stdout } = await world.cli('task', 'log', 'fix-login', '--follow');
  expect(code).toBe(0);
  const words = ['one', 'two', 'three', 'four', 'five', 'six'].map((word) => `  ${word}`);
  expect(stdout.match(/^ {2}\w+$/gm)).toEqual(words);
  expect(stdout).toMatch(/-- completed\n$/);
  const all = await world.cli('task', 'log', 'fix-login', '--all', '--tools', '--json');
  expect(all.stdout.trim().split('\n')).toHaveLength(4);
  expect(daemon.asked.at(-1)?.query).toEqual({ collapse_tools: 'false', after: '0' });
});

it('CL16 on a terminal it asks, and only yes confirms', async () => {
  await using world = new World();
  await using daemon = await FakeDaemon.open(world.home);
  daemon.on(`GET ${TASK}/worktree`, WORK).on(`DELETE ${TASK}`, { message: 'removed' });
  const answered = async (keys: string): Promise<number> => {
    const { pty, shown, ended } = inTerminal(world, ['task', 'delete', 'fix-login']);
    await until('the question', () => shown().includes('[y/N]'));
    expect(shown()).toContain('1 file is committed first.');
    pty.write(keys);
    return ended;
  };
  for (const keys of ['\r', 'n\r', 'yeah\r', '\u0003', '\u0004']) {
    expect([keys, await answered(keys)]).toEqual([keys, 1]);
  }
  expect(daemon.lines).not.toContain(`DELETE ${TASK}`);
  expect(await answered('y\r')).toBe(0);
  expect(daemon.lines).toContain(`DELETE ${TASK}`);
});
