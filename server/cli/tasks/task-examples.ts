/** Examples for the help of commands of tasks and prompts. */
export const TASK_EXAMPLES = {
  'task create': [
    'loopwatch task create fix-login --description @todo.md --gate "test=npm test" --start',
    'loopwatch task create docs --root ~/app --description "Document the API" --max-cost 2',
  ],
  'task ls': ['loopwatch task ls --status running', 'loopwatch task ls -q'],
  'task show': ['loopwatch task show fix-login', 'loopwatch task show fix-login --json'],
  'task start': ['loopwatch task start fix-login', 'loopwatch task start fix-login --json'],
  'task stop': ['loopwatch task stop fix-login', 'loopwatch task stop fix-login --json'],
  'task resume': ['loopwatch task resume fix-login', 'loopwatch task resume fix-login --json'],
  'task recover': ['loopwatch task recover fix-login', 'loopwatch task recover fix-login --json'],
  'task retry': [
    'loopwatch task retry fix-login',
    'loopwatch task retry fix-login --iterations 20 --cost 5',
  ],
  'task clone': [
    'loopwatch task clone fix-login',
    'loopwatch task clone fix-login --name fix-login-2',
  ],
  'task say': [
    'loopwatch task say fix-login "use pnpm"',
    'loopwatch task say fix-login - --resume < review.txt',
  ],
  'task inputs': ['loopwatch task inputs fix-login', 'loopwatch task inputs fix-login --cancel 3'],
  'task log': ['loopwatch task log fix-login --follow', 'loopwatch task log fix-login --all'],
  'task diff': [
    'loopwatch task diff fix-login --stat',
    'loopwatch task diff fix-login --raw | git apply --check',
  ],
  'task merge': [
    'loopwatch task merge fix-login --into main --preview',
    'loopwatch task merge fix-login --into main --squash',
  ],
  'task tests': ['loopwatch task tests fix-login', 'loopwatch task tests fix-login --json'],
  'task wait': ['loopwatch task wait fix-login', 'loopwatch task wait fix-login --through'],
  'task clear': ['loopwatch task clear fix-login', 'loopwatch task clear fix-login --yes'],
  'task delete': ['loopwatch task delete fix-login', 'loopwatch task delete fix-login --yes'],
  'task delete-worktree': [
    'loopwatch task delete-worktree fix-login',
    'loopwatch task delete-worktree fix-login --stop --yes',
  ],
  'prompt ls': ['loopwatch prompt ls', 'loopwatch prompt ls --search review'],
  'prompt show': [
    'loopwatch prompt show 3f2a',
    'loopwatch prompt show "Code review" --content | loopwatch task create review --description -',
  ],
  'prompt add': [
    'loopwatch prompt add "Code review" --content @review.md --tags review,quality',
    'pbpaste | loopwatch prompt add Notes --content -',
  ],
  'prompt delete': ['loopwatch prompt delete 3f2a', 'loopwatch prompt delete "Code review"'],
} as const;
