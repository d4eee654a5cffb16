/** The report of a run is complete. */
import { describe, expect, it } from 'vitest';
import type { RunFacts } from '../../../server/runs/report/run-facts.ts';
import { runReport } from '../../../server/runs/report/run-report.ts';
import { check, COMMIT, facts, round, run } from '../../support/runs/report-facts.ts';

/** The text below one heading. */
function section(report: string, title: string): string {
  const [, after = ''] = report.split(`\n## ${title}\n\n`);
  return after.split('\n\n## ')[0]?.trimEnd() ?? '';
}

describe('contents', () => {
  const report = runReport(facts());

  it('RN59 says what was asked, how it ended and what comes next', () => {
    expect(report).toMatch(/^# Run a1: Add a cache\n\n## Outcome\n/);
    const outcome = section(report, 'Outcome');
    expect(outcome).toContain('**Done.** The host’s checks passed. Next: Review the changes, then');
    expect(outcome).toContain('Branch: `run/a1`, from `main`');
    expect(outcome).toContain('Fix rounds: 1 of at most 6');
    expect(outcome).toContain('Started: 2025-11-23T02:13Z by mira');
    expect(section(report, 'Asked')).toBe('```text\nAdd a cache\n\nIt must expire.\n```');
  });

  it.each([
    [{ reason: 'stuck' }, '**Failed in Fix: Stuck.** The host’s checks failed. Next: The same'],
    [{ reason: 'timeout', proof: null }, '**Failed in Fix: Time limit.** Next: Read the report'],
    [{ reason: null, error: 'disk `full`' }, 'Error: `` disk `full` ``. Next: Read the error'],
    [{ merged_into: 'main' }, 'Next: Nothing to do: it is merged into `main`.'],
    [{ status: 'stopped', reason: 'user_stop' }, '**Stopped in Fix: Stopped by a person.**'],
  ] as const)('RN59 an end with %j has its reason and next step', (more, text) => {
    const failed = { status: 'failed', phase: 'fix', proof: 'refuted' } as const;
    expect(section(runReport(facts({ run: run({ ...failed, ...more }) })), 'Outcome')).toContain(
      text,
    );
  });

  it('RN59 has the plan as a checklist and what changed by file', () => {
    expect(section(report, 'Plan')).toBe('1 of 2 items done.\n\n- [x] Write it\n  - [ ] Test it');
    expect(section(report, 'Changes')).toBe(
      '2 files against `main`: +20 −0.\n\n- added: `cache.ts` +20 −0\n- modified: `a.png` binary, not committed',
    );
  });

  it('RN59 has the checks of the last round at their commit, with the output of what failed', () => {
    const passed = `- passed: \`npm test\` (test \`npm test --silent\`, exit code 0, 1:05, commit \`${COMMIT}\`)`;
    expect(section(report, 'Checks')).toBe(passed);
    const output = `begin${'x'.repeat(5_000)}end`;
    const gate = { type: 'gate', name: 'lint', status: 'failed', exit_code: null, output } as const;
    const text = runReport(facts({ checks: [check(), check({ id: 2, ...gate })] }));
    expect(section(text, 'Checks')).toContain(
      '- failed: `lint` (gate `npm test --silent`, no exit code',
    );
    expect(section(text, 'Checks')).toContain('xend\n```');
    expect(section(text, 'Checks')).not.toContain('begin');
    expect(section(text, 'Left to do')).toContain('Failed checks:\n\n- `lint`');
  });

  it('RN59 has the reviewer’s word and every round', () => {
    expect(section(report, 'Review')).toContain(`In round 1 on commit \`${COMMIT}\`: **pass**.`);
    expect(section(report, 'Review')).toContain('Everything is there.');
    const [first, second] = section(report, 'Rounds').split('\n');
    expect(first).toContain('- Round 0: 2025-11-23T02:40Z, commit `4f1a');
    expect(first).toContain('tests failed, `npm test: exit code 1`, not reviewed');
    expect(second).toContain('checks passed, review: pass');
    const idle = runReport(facts({ run: run({ rounds: [round({ changed: false })] }) }));
    expect(section(idle, 'Rounds')).toContain('nothing changed');
  });

  it('RN59 has cost, tokens and time by phase, and how long it waited', () => {
    const rows = section(report, 'Cost').split('\n');
    expect(rows).toHaveLength(7);
    expect(rows[2]).toBe('| Plan | 2 | 1000 | 200 | $0.13 | 1:00 |');
    expect(rows[6]).toBe('| Total | 8 | 4000 | 800 | $0.50 | 4:00 |');
    expect(section(report, 'Time')).toContain(
      '1:00:00 from 2025-11-23T02:13Z to 2025-11-23T03:13Z: 4:00 of work, 56:00 of waiting',
    );
    const since = '2025-11-23T03:00:00Z';
    const wait = { reason: 'quota', since, until: null, next: 'Resumes.' } as const;
    const waiting = runReport(facts({ run: run({ wait: { ...wait, evidence: [] } }) }));
    expect(section(waiting, 'Time')).toContain('Waiting since 2025-11-23T03:00Z: Quota. Resumes.');
  });

  it('RN59 B4-7 names what is left, with the command that merges', () => {
    const left = section(report, 'Left to do');
    expect(left).toContain('Open in the plan:\n\n- Test it');
    expect(left).toContain('Not committed:\n\n- `a.png`');
    expect(left).toContain('```sh\nloopwatch run merge a1 --into main\n```');
    const odd = runReport(facts({ run: run({ base: "a'; rm -rf ~" }) }));
    expect(odd).toContain(String.raw`--into 'a'\''; rm -rf ~'`);
    const base = { ...facts({ run: run({ base: '-f' }) }) };
    expect(runReport(base)).toContain("--into '-f'");
    const items = Array.from({ length: 25 }, () => ({ text: 'x', level: 0, done: false }));
    const plan = { ...facts().plan, items } as RunFacts['plan'];
    expect(section(runReport(facts({ plan })), 'Left to do')).toContain('- and 5 more');
  });

  it('RN32 names the calls that the permissions refused', () => {
    const denied = ['Bash: npm publish', 'Write: a\n# b'];
    expect(section(runReport(facts({ denied })), 'Left to do')).toContain(
      'Refused by the permissions:\n\n- `Bash: npm publish`\n- `Write: a # b`',
    );
    expect(report).not.toContain('Refused by');
  });

  it('RN59 a run that ended early has a report too', () => {
    const bare = {
      branch: null,
      base: null,
      rounds: [],
      proof: null,
      worktree_path: null,
    };
    const text = runReport({ run: run(bare), plan: null, checks: [], diff: null, denied: [] });
    expect(section(text, 'Left to do')).toBe('Nothing.');
    expect(section(text, 'Plan')).toBe('The run ended before it had one.');
    expect(section(text, 'Changes')).toContain('Not known');
    expect(section(text, 'Checks')).toBe('The host ran none.');
    expect(section(text, 'Review')).toBe('The reviewer gave no verdict.');
    expect(text).not.toMatch(/null|undefined|NaN|Infinity/);
    const failed = run({ ...bare, status: 'failed', reason: 'agent_not_started' });
    const early = runReport({ run: failed, plan: null, checks: [], diff: null, denied: [] });
    expect(section(early, 'Left to do')).toBe('All of it: the run ended before it had a plan.');
    const late = runReport(facts({ run: run({ status: 'stopped', reason: 'user_stop' }) }));
    expect(section(late, 'Left to do')).toMatch(
      /^The run ended before its work was verified\.\n\nOpen/,
    );
    const diff = { ...facts().diff, files: [] } as unknown as RunFacts['diff'];
    const merged = runReport(facts({ diff, plan: null, checks: [check()] }));
    expect(section(merged, 'Left to do')).toBe('Nothing.');
  });
});
