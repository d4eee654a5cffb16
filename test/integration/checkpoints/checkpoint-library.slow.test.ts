/** The checkpoints as a script gets them from the package: the documented example, and its types. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { checkpoint, LEAST, newHome, putCheckpoint } from '../../support/runs/checkpoint-home.ts';

/** A project that has the package installed. */
function project(files: Record<string, string>): string {
  const directory = newHome();
  mkdirSync(join(directory, 'node_modules/@types'), { recursive: true });
  symlinkSync(packageRoot(), join(directory, 'node_modules/loopwatch'));
  symlinkSync(
    join(packageRoot(), 'node_modules/@types/node'),
    join(directory, 'node_modules/@types/node'),
  );
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

async function run(directory: string, script: string, home: string): Promise<string> {
  const answer = await execFile(process.execPath, [join(directory, script)], {
    timeoutMs: 600_000,
    cwd: directory,
    env: { LOOPWATCH_HOME: home, PORT: 'not a setting of ours' },
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer.stdout;
}

it('CK18 the documented example lists sessions and deletes the stale ones', async () => {
  const [, example = ''] =
    /```js\n(.*?)```/s.exec(readFileSync(join(packageRoot(), 'docs/checkpoints.md'), 'utf8')) ?? [];
  const home = newHome();
  const now = new Date().toISOString();
  putCheckpoint(home, 'fresh', {
    ...LEAST,
    session_id: 'fresh',
    checkpoint_time: now,
    prompt: 'do it',
  });
  putCheckpoint(home, 'old', { ...LEAST, session_id: 'old', working_dir: '/gone' });
  putCheckpoint(home, 'done', { ...LEAST, session_id: 'done', phase: 'complete' });
  putCheckpoint(home, 'bad', '{');
  const directory = project({ 'example.mjs': example });
  const lines = (await run(directory, 'example.mjs', home)).trim().split('\n');
  expect(lines[0]).toBe(join(home, 'sessions'));
  expect(lines[1]).toBe('fresh execute do it');
  expect(lines.slice(2).sort()).toEqual([
    'Working directory not found old',
    'bad corrupt Checkpoint is corrupt: it is not complete JSON',
    'done complete ',
    'old execute ',
    expect.stringMatching(/^old invalid_directory Working directory not found: \/gone$/),
    expect.stringMatching(/^old stale Session is stale: /),
  ]);
  expect((await run(directory, 'example.mjs', home)).includes('old')).toBe(false);
});

it('CK18 a script saves and loads, and an error has its code', async () => {
  const home = newHome();
  const script = `
    import { openCheckpoints } from 'loopwatch/checkpoints';
    const checkpoints = openCheckpoints(${JSON.stringify(home)});
    checkpoints.save(${JSON.stringify(checkpoint({ iteration: 2 }))});
    const failure = (act) => { try { return act(); } catch ({ code }) { return code; } };
    console.log(checkpoints.checkpointPath('one'), checkpoints.load('one').iteration,
      failure(() => checkpoints.load('../x')), failure(() => checkpoints.delete('two')));
  `;
  const printed = await run(project({ 'script.mjs': script }), 'script.mjs', '/nowhere');
  expect(printed).toBe(`${join(home, 'sessions/one/checkpoint.json')} 2 run_unknown run_unknown\n`);
});

it('CK18 the package has the types of what it exports', async () => {
  const script = `
    import { openCheckpoints, type Checkpoint, type SessionList } from 'loopwatch/checkpoints';
    const checkpoints = openCheckpoints();
    const list: SessionList = await checkpoints.list();
    const checkpoint: Checkpoint = checkpoints.load(list.sessions[0]?.session_id ?? '');
    checkpoint.phase = 'fix';
    export const cost: number = checkpoint.usage.cost_usd;
    // @ts-expect-error not a phase
    checkpoint.phase = 'testing';
    // @ts-expect-error not an id
    checkpoints.delete(1);
  `;
  execFileSync('npm', ['run', '--silent', 'build:types'], { cwd: packageRoot(), stdio: 'pipe' });
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023'];
  const words = [join(packageRoot(), 'node_modules/typescript/bin/tsc'), ...options, 'script.ts'];
  const checked = await execFile(process.execPath, words, {
    timeoutMs: 600_000,
    cwd: project({ 'script.ts': script }),
  });
  expect(checked).toEqual({ ok: true, stdout: '' });
});
