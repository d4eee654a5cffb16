/** What the agent of a phase may do without asking. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runPermissions } from '../../../server/runs/executor/run-permissions.ts';
import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import { StartRun, type StartRunBody } from '../../../shared/schema/runs/run-requests.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const COMMIT = ['Bash(git add:*)', 'Bash(git commit:*)'];

function permissions(phase: (typeof WORK_PHASES)[number], more: Partial<StartRunBody> = {}) {
  const directory = mkdtempSync(join(TEST_ROOT, 'p'));
  const scripts = { test: 'node --test', lint: 'eslint .', deploy: 'ship', 'test:$(x)': 'x' };
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts }));
  try {
    return runPermissions(phase, StartRun.parse({ prompt: 'Do it', ...more }), directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

it.each(WORK_PHASES)('RN30 %s may commit and test only where it works', (phase) => {
  const works = phase === 'execute' || phase === 'fix';
  expect(permissions(phase)).toEqual({
    permissionMode: works ? 'acceptEdits' : 'plan',
    allow: works
      ? ['Bash(npm test:*)', 'Bash(npm run test:*)', 'Bash(npm run lint:*)', ...COMMIT]
      : [],
  });
});

it('RN30 any other mode has no rules, whether of the run or of the phase', () => {
  const asked = { permissionMode: 'default', allow: [] };
  expect(permissions('fix', { permission_mode: 'default' })).toEqual(asked);
  const phases = { fix: { permission_mode: 'default' as const } };
  expect(permissions('fix', { phases })).toEqual(asked);
  expect(permissions('execute', { phases }).allow).toContain('Bash(git commit:*)');
});

it('RN30 the tests and gates of the run are allowed as they are, when they are words only', () => {
  const { allow } = permissions('execute', {
    test_commands: ['node --test', 'npm test && touch x', 'X=1 npm test', 'a,b', 'echo $(id)'],
    gates: [{ name: 'size', command: './size.sh --max=3' }],
  });
  expect(allow.slice(3)).toEqual(['Bash(node --test)', 'Bash(./size.sh --max=3)', ...COMMIT]);
});
