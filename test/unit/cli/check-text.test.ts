/** How the page shows the checks. */
import { expect, it } from 'vitest';
import type { PreflightCheck } from '../../../shared/schema/model.ts';
import { Agents } from '../../../server/agents/agents.ts';
import { judgeDisk, judgeInotify } from '../../../server/preflight/machine-checks.ts';
import { judgeService } from '../../../server/preflight/service-check.ts';
import { fixCommands, problemsFirst } from '../../../web/lib/checks/check-text.ts';
import { formatBytes } from '../../../web/lib/ui/text/format-bytes.ts';

it('CP1 the commands in a fix are those that the checks name', () => {
  const agents = new Agents({ program: 'none', template: '', environment: {} });
  const full = { watches: 100, instances: 1, maxWatches: 100, maxInstances: 100 };
  const commands = (check: PreflightCheck) => fixCommands(check.fix ?? '');
  expect(commands(agents.preflight())).toEqual(['npm install -g @anthropic-ai/claude-code']);
  expect(commands(judgeInotify(full))).toEqual(['sudo sysctl fs.inotify.max_user_watches=400']);
  expect(commands(judgeService({ name: 'loopwatch.service', ofUser: true }, 'mixed'))).toEqual([
    'systemctl --user edit loopwatch.service',
  ]);
  expect(commands(judgeDisk('/home', 0))).toEqual([]);
  expect(fixCommands('Install git (apt install git, brew install git).')).toEqual([
    'sudo apt install git',
    'brew install git',
  ]);
});

it('CP1 missing things come first, each group in its order', () => {
  const names = ['agent', 'tmux', 'git', 'disk'] as const;
  const checks = names.map((name) => ({
    name,
    detail: '',
    fix: null,
    ok: name !== 'tmux' && name !== 'disk',
  }));
  expect(problemsFirst(checks).map(({ name }) => name)).toEqual(['tmux', 'disk', 'agent', 'git']);
});

it('CP3 sizes are short', () => {
  expect([0, 1023, 1024, 4_404_019, 90 * 1024 ** 2, 3 * 1024 ** 4].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KB',
    '4.2 MB',
    '90 MB',
    '3.0 TB',
  ]);
});
