/** The server of an earlier commit, built from the history of the tree with the packages of this one. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { TEST_ROOT } from '../house/test-root.ts';

/** Reached only by a hang. */
const PATIENCE_MS = 600_000;

export class OldBuild implements Disposable {
  /** Its sources; `dist` has its programs, and no page. */
  readonly root = mkdtempSync(join(TEST_ROOT, 'o'));

  static async make(commit: string): Promise<OldBuild> {
    const build = new OldBuild();
    try {
      await build.#make(commit);
      return build;
    } catch (error) {
      build[Symbol.dispose]();
      throw error;
    }
  }

  get program(): string {
    return join(this.root, 'dist/server/main.js');
  }

  async #make(commit: string): Promise<void> {
    const archive = join(this.root, 'tree.tar');
    // The pages and images of the documentation are a fifth of it.
    const parts = ['--output', archive, commit, '--', '.', ':(exclude)docs'];
    await run(packageRoot(), 'git', 'archive', ...parts);
    await run(this.root, 'tar', '-xf', archive);
    rmSync(archive);
    symlinkSync(join(packageRoot(), 'node_modules'), join(this.root, 'node_modules'));
    await run(this.root, 'npm', 'run', '--silent', 'build:server');
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

async function run(cwd: string, program: string, ...args: string[]): Promise<void> {
  const result = await execFile(program, args, { cwd, timeoutMs: PATIENCE_MS });
  if (!result.ok) throw new Error(`${program} ${args.join(' ')}: ${result.stderr}`);
}
