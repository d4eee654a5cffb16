/** Runs in every lasting state: at work, waiting for a plan review, stuck, fixed and done. */
import type { ShotsHome } from './home.ts';

interface Plan {
  /** The prompt. */
  about: string;
  /** What the stand-in plays. */
  steps: readonly string[];
  ends: { status: string; phase?: string };
  more?: object;
}

const PLAN_TEXT =
  '# Plan\\n\\nCount failed logins by address and by account.\\n\\n- [x] Read how the login is written\\n- [x] Add the counter in `src/limits.ts`\\n- [ ] Answer 429 after five tries\\n  - [ ] Say when to try again\\n- [ ] Test both ways';
const HELD = 'wait 3600000';

/** In order of creation. */
const RUNS: Record<string, Plan> = {
  'run-done': {
    about: 'Correct the links in the docs that lead nowhere.',
    steps: [
      'in plan say # Plan\\n\\n- [x] Find the links\\n- [x] Correct three of them',
      'in execute write docs.txt 214 links, 3 corrected\\n',
      'in execute commit Correct three links',
      'in execute say Each link leads somewhere now.',
    ],
    ends: { status: 'done' },
    more: {
      test_commands: [
        'test -f stand-in-fix-1.md || { echo "1 of 214 links is broken: /old"; exit 1; }',
      ],
    },
  },
  'run-stuck': {
    about: 'Make the search case-insensitive.',
    steps: [],
    ends: { status: 'failed' },
    more: { test_commands: ['echo "expected 3 results, found 2"; false'] },
  },
  'run-review': {
    about: 'Move the orders to the new schema.',
    steps: [`in plan say ${PLAN_TEXT}`],
    ends: { status: 'waiting' },
    more: { review_plan: true },
  },
  'run-work': {
    about: 'Add a rate limit to the login: five tries a minute for each address.',
    steps: [
      `in plan say ${PLAN_TEXT}`,
      'in execute turn 1 tool Read {"file_path":"src/login.ts"}',
      'in execute turn 1 tool Grep {"pattern":"rateLimit"}',
      'in execute turn 1 write limits.txt MAX_TRIES = 5\\n',
      'in execute turn 1 say The tries are counted in `src/limits.ts` now.',
      `in execute turn 1 ${HELD}`,
    ],
    ends: { status: 'running', phase: 'execute' },
    more: { max_cost_usd: 5, test_commands: [] },
  },
};

/** The parts of the page of a run that are worth a screenshot of their own. */
const PARTS: Record<string, readonly string[]> = {
  'run-done': ['checks', 'diff', 'replay', 'report'],
  'run-review': ['plan'],
};

/** Fills a home whose daemon runs; returns the paths of their pages by name. */
export async function makeRuns(home: ShotsHome, cwd: string): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const [name, { about, steps, ends, more }] of Object.entries(RUNS)) {
    const prompt = [about, ...steps.map((step) => `stand-in: ${step}`)].join('\n');
    const { id } = await home.send('POST', '/api/runs', { prompt, cwd, ...more });
    const path = `/runs/${String(id)}`;
    pages[name] = path;
    for (const part of PARTS[name] ?? []) pages[`${name}-${part}`] = `${path}?part=${part}`;
    await home.reaches(
      `/api${path}`,
      ({ status, phase }) => status === ends.status && (ends.phase ?? phase) === phase,
    );
  }
  return pages;
}
