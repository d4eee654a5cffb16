/** Tasks in every lasting state, with a repository to work in, and a few prompts. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShotsHome } from './home.ts';

/** A task in a directory outside git. */
const PLAIN_TASK = 'tidy-notes';

interface Plan {
  /** The description. */
  about: string;
  /** What the stand-in plays. */
  steps: readonly string[];
  /** Null: not started. */
  ends: string | null;
  more?: object;
}

const HELD = 'wait 3600000';

/** In order of creation. */
const TASKS: Record<string, Plan> = {
  'docs-links': {
    about: 'Check each link in docs/ and correct those that lead nowhere.',
    steps: [
      'tool Grep {"pattern":"https?://","path":"docs"}',
      'write docs.txt 214 links, 3 corrected\\n',
      'commit Correct three links',
      'say ## Result\\n\\nEach link leads somewhere: **214** were checked, 3 corrected.',
    ],
    ends: 'COMPLETED',
    more: { test_commands: [], gates: [{ name: 'report', command: 'test -s docs.txt' }] },
  },
  'release-notes': {
    about: 'Write release notes from the commits since the last tag.',
    steps: ['say The notes are written. Done.'],
    ends: 'COMPLETED',
    more: { test_commands: [] },
  },
  'schema-change': {
    about: 'Move the orders to the new schema.',
    steps: ['say I looked at both schemas.', 'ask Shall I drop the production database?'],
    ends: 'PAUSED',
  },
  'rate-limit': {
    about: 'Add a rate limit to the login: five tries a minute for each address.',
    steps: [
      'say I will look at how the login is written first.',
      'tool Read {"file_path":"src/login.ts"}',
      'tool Grep {"pattern":"rateLimit"}',
      'write limits.txt MAX_TRIES = 5\\n',
      'say The tries are counted in `src/limits.ts` now:\\n\\n```ts\\nreturn tries.length < MAX_TRIES;\\n```\\n\\nOne test still fails; I look at it next.',
      HELD,
    ],
    ends: 'RUNNING',
    more: { max_tokens: 200_000, max_cost_usd: 5 },
  },
  'search-ranking': { about: 'Rank titles above bodies.', steps: ['say Not yet.'], ends: null },
};

/** Fills a home whose daemon runs. */
export async function makeTasks(home: ShotsHome): Promise<void> {
  const root_folder = repository(home.directory('shop'));
  for (const [task_name, { about, steps, ends, more }] of Object.entries(TASKS)) {
    const description = [about, ...steps.map((step) => `stand-in: ${step}`)].join('\n');
    const auto_start = ends !== null;
    await home.send('POST', '/api/v1/tasks', {
      task_name,
      description,
      root_folder,
      auto_start,
      ...more,
    });
    if (ends !== null) {
      await home.reaches(`/api/v1/tasks/by-name/${task_name}`, ({ status }) => status === ends);
    }
  }
  await home.send('POST', '/api/v1/tasks', {
    task_name: PLAIN_TASK,
    description: 'Sort the notes by date.\nstand-in: say Sorted. Done.',
    root_folder: home.directory('notes'),
    auto_start: true,
    use_worktree: false,
    end_criteria: 'Each note is in the directory of its year.',
  });
  await home.reaches(`/api/v1/tasks/by-name/${PLAIN_TASK}`, ({ status }) => status === 'COMPLETED');
  const said = { input: 'Count by address and by account: one address can be a whole office.' };
  await home.send('POST', '/api/v1/tasks/by-name/rate-limit/user-input', said);
  for (const [title, category, content] of [
    ['Review as we do', 'review', 'Read the diff. Say what is wrong first, by weight.'],
    ['Release notes', 'release', 'Write release notes from the commits since the last tag.'],
  ] as const) {
    await home.send('POST', '/api/v1/prompts', { title, category, content });
  }
}

/** How the worktrees of the shop are set up: for a screenshot, no agent works there after it. */
export async function makeSetup(home: ShotsHome): Promise<void> {
  const setup = { copy: ['.env'], share: ['node_modules'], setup: 'npm run db:prepare' };
  await home.send('PUT', '/api/projects/setups', { path: home.directory('shop'), ...setup });
}

/** Turns the directory into a repository with one commit. */
function repository(directory: string): string {
  const git = (...words: string[]) => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    execFileSync('git', [...who, ...words], { cwd: directory, stdio: 'ignore' });
  };
  git('init', '--initial-branch', 'main');
  writeFileSync(join(directory, 'README.md'), 'A shop.\n');
  git('add', '.');
  git('commit', '--message', 'Begin');
  return directory;
}
