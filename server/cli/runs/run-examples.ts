/** Examples for the help of commands of runs. */
export const RUN_EXAMPLES = {
  'run start': [
    'loopwatch run start "Fix the login form" --test "npm test"',
    'loopwatch run start @todo.md --review-plan --max-cost 5 --detach',
  ],
  'run resume': [
    'loopwatch run resume k3f9',
    'loopwatch run resume k3f9 --force --from-phase review',
  ],
  'run follow': ['loopwatch run follow k3f9', 'loopwatch run follow k3f9 --json --after 0'],
  'run ls': ['loopwatch run ls --status failed', 'loopwatch run ls --all -o jsonl'],
  'run show': ['loopwatch run show k3f9', 'loopwatch run show k3f9 --json'],
  'run stop': ['loopwatch run stop k3f9', 'loopwatch run stop k3f9 --reason "wrong branch"'],
  'run input': [
    'loopwatch run input k3f9 "use pnpm"',
    'loopwatch run input k3f9 - --now < hint.txt',
  ],
  'run plan': ['loopwatch run plan k3f9', 'loopwatch run plan k3f9 --edit'],
  'run accept': ['loopwatch run accept k3f9', 'loopwatch run accept k3f9 --json'],
  'run diff': ['loopwatch run diff k3f9 --stat', 'loopwatch run diff k3f9 --round 1'],
  'run report': ['loopwatch run report k3f9', 'loopwatch run report k3f9 > report.md'],
  'run merge': [
    'loopwatch run merge k3f9 --into main',
    'loopwatch run merge k3f9 --into main --squash',
  ],
  'run rm': ['loopwatch run rm k3f9', 'loopwatch run rm k3f9 --keep-worktree'],
  'run cleanup': [
    'loopwatch run cleanup --completed --older-than 7d',
    'loopwatch run cleanup --stale --invalid --dry-run',
  ],
  'run export': [
    'loopwatch run export k3f9 k3f9.tar.gz',
    'loopwatch run export k3f9 ~/backup/login.tar.gz',
  ],
  'run import': [
    'loopwatch run import k3f9.tar.gz',
    'loopwatch run import k3f9.tar.gz --as login-2',
  ],
} as const;
