/**
 * A `claude` that knows conversations and background sessions as the real one does: `--resume` keeps a
 * record of itself, `stop` ends the process of the record that names the job.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../daemon/world.ts';

const SCRIPT = (log: string) => `
echo "$@" >> '${log}'
records="$CLAUDE_CONFIG_DIR/sessions"
case "$1" in
agents) exec cat '${log}.agents';;
logs) exec cat '${log}.screen';;
stop)
  record=$(grep -l "\\"jobId\\":\\"$2\\"" "$records"/*.json) || { echo "No session matching '$2'" >&2; exit 1; }
  pid=$(basename "$record" .json)
  rm "$record"; kill -9 "$pid"; echo "stopped $2"; exit;;
attach) echo "attached to $2"; exec sleep 100000;;
esac
while [ $# -gt 1 ]; do [ "$1" = --resume ] && conversation=$2; shift; done
start=$(cut -d' ' -f22 /proc/$$/stat)
mkdir -p "$records"
printf '{"pid":%d,"procStart":"%s","sessionId":"%s","cwd":"%s","status":"idle","kind":"interactive"}' \\
  $$ "$start" "$conversation" "$PWD" > "$records/$$.json"
echo "resumed $conversation"
exec sleep 100000`;

export class ResumableClient {
  readonly #log: string;
  readonly #jobs: string;

  constructor(world: World, version = '2.1.330') {
    this.#log = join(world.root, 'claude-calls');
    this.#jobs = join(world.root, 'claude', 'jobs');
    world.writeClient(`${version} (Claude Code)`, SCRIPT(this.#log));
    this.agents([]);
    this.screen('');
  }

  /** The words of each call but `--version`, oldest first. */
  get calls(): string[] {
    if (!existsSync(this.#log)) return [];
    return readFileSync(this.#log, 'utf8').trim().split('\n');
  }

  /** What `agents --json --all` prints. */
  agents(jobs: readonly unknown[]): void {
    if (jobs.length > 0) mkdirSync(this.#jobs, { recursive: true });
    writeFileSync(`${this.#log}.agents`, JSON.stringify(jobs));
  }

  /** What `logs` prints. */
  screen(output: string): void {
    writeFileSync(`${this.#log}.screen`, output);
  }
}

/** A directory of a project below the roots. */
export function projectOf(world: World, name: string): string {
  const directory = join(world.root, 'tasks', name);
  mkdirSync(directory, { recursive: true });
  return directory;
}
