/**
 * A believable team at work: loops in every lasting state, their history, alerts, items that need a
 * person.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ShotsHome } from './home.ts';
import { makeRuns } from './runs.ts';
import { makeSetup, makeTasks } from './tasks.ts';

const HOUR_MS = 3_600_000;

const PLAN = {
  do: 'step',
  work_ms: 150,
  say: [
    'I will plan from the requirements in .target.md.',
    'Read(.target.md)',
    '⎿  31 lines',
    'Plan: move the sums into one place, keep the old exports, cover both with tests.',
  ],
  signal: { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' },
};
const CHECK = {
  do: 'step',
  work_ms: 150,
  say: ['Bash(npm test)', '⎿  214 passed, 0 failed', 'Each requirement has a step and a test.'],
  signal: { step: 'check', result: 'PASS', next: 'exec' },
};
const AT_WORK = {
  do: 'step',
  work_ms: HOUR_MS,
  say: [
    'Update(src/billing/invoice.ts)',
    '⎿  Added 42 lines, removed 17 lines',
    'Update(src/billing/rounding.ts)',
    '⎿  Added 11 lines, removed 9 lines',
    'Bash(npm test -- billing)',
  ],
  signal: { step: 'exec', result: '(done)', next: 'check' },
};

/** Loops that stay as they are, by session: their steps, and the status they end in. */
const LOOPS: Record<string, { steps: object[]; status: string }> = {
  'billing-rounding': { steps: [PLAN, CHECK, AT_WORK], status: 'running' },
  'search-index': { steps: [PLAN, CHECK, CHECK, AT_WORK], status: 'running' },
  'checkout-flow': {
    steps: [
      PLAN,
      { do: 'ask', command: 'npm install --save-exact stripe@17.4.0', description: 'Add the SDK' },
      AT_WORK,
    ],
    status: 'running',
  },
  'import-legacy': { steps: [PLAN, { do: 'limit', ms: HOUR_MS }], status: 'quota_wait' },
  'mail-templates': { steps: [PLAN, CHECK, { do: 'crash', code: 137 }], status: 'failed' },
};

/** What a terminal without a loop shows. */
const SHELL_TEXT =
  "clear; printf '\\033[32m✓\\033[0m %s\\n' 'schema up to date' 'seed loaded' '3 workers ready'; printf '\\033[33mwarn\\033[0m %s\\n' 'cache is cold, the first request takes longer'";

/** Disposing ends the receiver of the alerts. */
export interface Company extends AsyncDisposable {
  /** Those worth a screenshot of their own. */
  sessions: readonly string[];
  /** Pages that are not in the navigation. */
  pages: readonly string[];
  /** Pages of runs by name: their paths differ each time. */
  runs: Readonly<Record<string, string>>;
}

/** Fills a home whose daemon runs. Dispose the result with the home. */
export async function makeCompany(home: ShotsHome): Promise<Company> {
  const receiver = await openReceiver();
  await makeAlerts(home, (receiver.address() as AddressInfo).port);
  await makeStalled(home);
  await makePast(home);
  for (const [name, { steps }] of Object.entries(LOOPS)) await startLoop(home, name, steps);
  await home.openSession('ops-shell', home.directory('ops'));
  await home.send('POST', '/api/sessions/ops-shell/input', { text: SHELL_TEXT, submit: true });
  for (const [name, { status }] of Object.entries(LOOPS)) {
    const path = `/api/sessions/${name}/task-auto`;
    await home.reaches(path, (loop) => loop['status'] === status);
  }
  await home.reaches('/api/attention', ({ items }) =>
    (items as { session: string }[]).some(({ session }) => session === 'checkout-flow'),
  );
  await makeTasks(home);
  const runs = await makeRuns(home, home.directory('shop'));
  await makeSetup(home);
  return {
    runs,
    pages: [
      '/fleet',
      '/help',
      '/prompts',
      '/projects',
      ...['rate-limit', 'schema-change', 'docs-links', 'release-notes', 'tidy-notes'].map(
        (task) => `/tasks/${task}`,
      ),
    ],
    sessions: [...Object.keys(LOOPS), 'docs-links', 'ops-shell'],
    async [Symbol.asyncDispose]() {
      receiver.close();
      receiver.closeAllConnections();
      await once(receiver, 'close');
    },
  };
}

async function startLoop(home: ShotsHome, name: string, steps: object[]): Promise<void> {
  const taskDir = home.directory(name, { status_record: true, after: 'exit', steps });
  await home.openSession(name, taskDir);
  await home.send('POST', `/api/sessions/${name}/task-auto`, { taskDir });
}

/** A stall is found within a second; the daemon after this one leaves it alone. */
async function makeStalled(home: ShotsHome): Promise<void> {
  await home.stop();
  await home.start({ LOOPWATCH_HEARTBEAT_MS: '400', LOOPWATCH_STALL_CAPTURES: '2' });
  await startLoop(home, 'docs-links', [PLAN, CHECK, { do: 'silence', ms: HOUR_MS }]);
  await home.reaches('/api/sessions/docs-links/task-auto', ({ wait }) => wait !== null);
  await home.stop();
  await home.start({ LOOPWATCH_HEARTBEAT_MS: String(HOUR_MS) });
}

/** Some loops that ended: reports, a limit, one stopped by a person. */
async function makePast(home: ShotsHome): Promise<void> {
  const report = { step: 'report', result: '(generated)', next: '(stop)' };
  const done = { do: 'step', work_ms: 100, say: ['Write(.report.md)'], signal: report };
  const taskDir = home.directory('search-ranking', {
    status_record: true,
    after: 'exit',
    steps: [PLAN, CHECK, done],
  });
  await home.openSession('release-notes', home.directory('release-notes'));
  for (const limits of [{}, { maxIterations: 1 }, {}]) {
    const path = '/api/sessions/release-notes/task-auto';
    await home.send('POST', path, { taskDir, ...limits });
    await home.reaches('/api/task-auto', ({ loops }) =>
      (loops as { session_name: string }[]).every((loop) => loop.session_name !== 'release-notes'),
    );
  }
}

async function openReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const isGone = request.url === '/old-pager';
      response.writeHead(isGone ? 410 : 204).end(isGone ? 'This hook has moved.' : undefined);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function makeAlerts(home: ShotsHome, port: number): Promise<void> {
  const origin = `http://127.0.0.1:${port}`;
  const hook = (path: string) => ({ kind: 'webhook', url: `${origin}/${path}` });
  const quiet = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' };
  const rules = [
    {
      name: 'Team channel',
      types: ['attention.raised', 'auto.failed', 'auto.ended'],
      target: hook('team-channel'),
    },
    {
      name: 'On call',
      types: ['auto.failed'],
      reasons: ['restart_limit', 'agent_error', 'crashed'],
      quiet_hours: { ...quiet, except_reasons: ['restart_limit'] },
      target: hook('old-pager'),
    },
    {
      name: 'Desk lamp',
      types: ['attention.raised'],
      sessions: ['checkout-flow'],
      target: { kind: 'command', argv: ['/bin/echo', 'lamp', 'on'] },
    },
  ];
  for (const rule of rules) await home.send('POST', '/api/alerts', rule);
}
