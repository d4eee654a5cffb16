/** Results of a task's tests and gates. Their output never reaches the terminal raw. */
import { countText } from '../../../shared/words/count-text.ts';
import { formatDuration } from '../../../shared/words/format-duration.ts';
import { oneLine, plainText } from '../../../shared/rules/plain-text.ts';
import type { TestCase } from '../../../shared/schema/tasks/task.ts';

const MAX_LINE = 200;
const MAX_OUTPUT_LINES = 15;

/** Each result with the end of the output. */
export function testLines(tests: readonly TestCase[]): string[] {
  if (tests.length === 0) return ['no tests run yet'];
  return tests.flatMap(
    ({ type, name, command, status, exit_code, duration_ms, commit, output }) => {
      const code = exit_code === null ? '' : `, exit code ${exit_code}`;
      const took = duration_ms === null ? '' : `, ${formatDuration(duration_ms / 1000)}`;
      const of = commit === null ? '' : `, at ${commit.slice(0, 10)}`;
      const what = type === 'gate' ? 'gate' : 'tests';
      return [
        `${status}  ${what} ${oneLine(name, MAX_LINE)}${code}${took}${of}`,
        `  $ ${oneLine(command, MAX_LINE)}`,
        ...(status === 'failed' ? lastLines(output) : []),
      ];
    },
  );
}

function lastLines(output: string): string[] {
  const lines = plainText(output).trimEnd().split('\n');
  const shown = lines.slice(-MAX_OUTPUT_LINES);
  const left = lines.length - shown.length;
  return [
    ...(left === 0 ? [] : [`    … ${countText(left, 'earlier line')}`]),
    ...shown.map((line) => `    ${line}`),
  ];
}
