/** Lists at the end of a run which tests did not run and why. */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { UnrunnableTest } from './missing-programs.ts';

export class LeftOutReporter implements Reporter {
  readonly #unrunnable: readonly UnrunnableTest[];

  constructor(unrunnable: readonly UnrunnableTest[]) {
    this.#unrunnable = unrunnable;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = this.#unrunnable.map(({ file, programs }) => {
      return `${file}: needs ${programs.join(', ')}, not installed or not allowed here`;
    });
    for (const { children, moduleId } of modules) {
      for (const test of children.allTests('skipped')) {
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        const why = note === undefined ? '' : `: ${note}`;
        lines.push(`${relative(process.cwd(), moduleId)}: ${test.fullName}${why}`);
      }
    }
    if (lines.length === 0) return;
    console.log(`\nNot run (${lines.length}):\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
  }
}
