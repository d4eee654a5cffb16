/** Stand-ins of one home that share a plan, at a time that a test moves. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseUsageLine } from '../../../server/agents/records/usage-line.ts';
import { readSpent } from '../../../stand-in/plan/spent-file.ts';
import {
  auto,
  launch,
  openTerminal,
  task,
  temporaryDirectory,
} from '../../support/agents/stand-in.ts';
import { until } from '../../support/house/until.ts';

const HOUR_MS = 3_600_000;
const TOKENS = { input: 7, output: 60, cacheRead: 500, cacheCreation: 3 };
const WORK = { step: 'plan', result: '(generated)', next: 'check' };
const STEP = { do: 'step', work_ms: HOUR_MS, tokens: TOKENS, signal: WORK };

/** A home with a plan that 100 tokens fill, and a clock. */
function home(more: object = {}) {
  const directory = temporaryDirectory();
  const clock = path.join(directory, 'clock');
  const window = { capacity: 100, resets_ms: [Date.now() + 5 * HOUR_MS] };
  const plan = { five_hour: window, weekly: { ...window, capacity: 1_000 }, ...more };
  writeFileSync(path.join(directory, 'stand-in-plan.json'), JSON.stringify(plan));
  writeFileSync(clock, '0');
  const status = path.join(directory, 'status.json');
  const settings = path.join(directory, 'settings.json');
  writeFileSync(settings, JSON.stringify({ statusLine: { command: `cat > '${status}'` } }));
  const environment = { CLAUDE_CONFIG_DIR: directory, LOOPWATCH_STAND_IN_CLOCK: clock };
  const waits = () =>
    existsSync(`${clock}.waits`)
      ? readdirSync(`${clock}.waits`).filter((name) => /^\d+$/.test(name))
      : [];
  return {
    directory,
    environment,
    settings,
    /** Once it is written as a whole, which is after what was spent. */
    status: async () =>
      until('its status line', () => {
        try {
          return JSON.parse(readFileSync(status, 'utf8')) as object;
        } catch {
          return null;
        }
      }),
    spent: () => readSpent(directory),
    /** Once an agent waits. */
    skip: async (toMs: number) => {
      await until('it waits', () => waits().length === 1);
      writeFileSync(clock, String(toMs));
      await until('it continues', () => {
        try {
          const [name = '', ...others] = waits();
          const untilMs = Number(readFileSync(path.join(`${clock}.waits`, name), 'utf8'));
          return others.length > 0 || untilMs > Date.now() + toMs;
        } catch {
          // None waits any more.
          return true;
        }
      });
    },
  };
}

function transcript(directory: string): ReturnType<typeof parseUsageLine>[] {
  const folder = path.join(directory, 'projects');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const text = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('');
  return text.split('\n').filter(Boolean).map(parseUsageLine);
}

test('SI17 SI18 what a loop spends is in its transcript and fills the window, up to its limit', async () => {
  const { directory, environment, settings, skip, spent, status } = home();
  const taskDir = task([STEP, STEP, STEP], { after: 'exit' });
  const { shows, exited } = openTerminal(['--settings', settings, auto(taskDir)], environment);
  await skip(HOUR_MS);
  await until('it has spent', () => spent().length === 1);
  expect(spent()).toMatchObject([
    { output_tokens: 60, cache_read_tokens: 500, reported: 'transcript' },
  ]);
  const used = { inputTokens: 7, cacheReadTokens: 500, cacheCreationTokens: 3 };
  const [first, second] = transcript(directory);
  expect([first, second]).toMatchObject([
    { entry: 'terminal', usage: { ...used, outputTokens: 30 } },
    { key: first?.key, usage: { ...used, outputTokens: 60 } },
  ]);
  expect(await status()).toMatchObject({
    rate_limits: { five_hour: { used_percentage: 60 }, seven_day: { used_percentage: 6 } },
  });
  await skip(2 * HOUR_MS);
  await shows("You've hit your 5-hour limit");
  // The window is empty after its reset, so the third step begins.
  await skip(5 * HOUR_MS + 60_000);
  await shows('My limit has been reset');
  await skip(7 * HOUR_MS);
  expect(await exited).toBe(0);
  expect(spent().map(({ output_tokens: output }) => output)).toEqual([60, 60, 60]);
});

test('SI17 a turn is refused at a limit and without a login, and spends what its result reports', async () => {
  const turn = (environment: Record<string, string>) => {
    return launch(
      ['-p', 'stand-in: tokens 100', '--output-format', 'stream-json', '--verbose'],
      environment,
    ).closed;
  };
  const full = home();
  expect((await turn(full.environment)).stdout).toContain('"output_tokens":100');
  expect(full.spent()).toMatchObject([
    { output_tokens: 100, input_tokens: 1_500, reported: 'both' },
  ]);
  expect(transcript(full.directory)).toMatchObject([
    { entry: 'headless' },
    { usage: { outputTokens: 100 } },
  ]);
  expect((await turn(full.environment)).stdout).toContain("You've hit your 5-hour limit");
  const loggedOut = home({ login_ms: [Date.now() - 1] });
  expect((await turn(loggedOut.environment)).stdout).toContain('Please run /login');
  expect(loggedOut.spent()).toEqual([]);
});
