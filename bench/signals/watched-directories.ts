/** The least a machine needs: a watch on each directory, read and parse, all in one process. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SIGNAL_FILE } from '../../shared/schema/loops/auto-signal.ts';

/** Creates this many directories and reports every signal in them, parsed, as it is in the file. */
export class WatchedDirectories {
  readonly places: string[];
  readonly #root = mkdtempSync(join(tmpdir(), 'lwb-'));
  readonly #watchers;

  constructor(count: number, onSignal: (text: string) => void) {
    this.places = Array.from({ length: count }, (_, n) => join(this.#root, String(n)));
    this.#watchers = this.places.map((directory) => {
      mkdirSync(directory);
      return watch(directory, (_event, file) => {
        if (file !== SIGNAL_FILE) return;
        const text = readFileSync(join(directory, SIGNAL_FILE), 'utf8');
        JSON.parse(text);
        onSignal(text);
      });
    });
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers) watcher.close();
    rmSync(this.#root, { recursive: true });
  }
}
