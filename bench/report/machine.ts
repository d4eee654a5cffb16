import { spawnSync } from 'node:child_process';
import {
  availableParallelism,
  cpus,
  getPriority,
  loadavg,
  release,
  totalmem,
  type as system,
} from 'node:os';
import { isPinned } from '../rig/bench-child.ts';

/** What figures depend on besides the program. */
export interface MachineFacts {
  processor: string;
  cores: number;
  memory_gb: number;
  system: string;
  node: string;
  tmux: string;
  /** Processes that wanted a core in the minute before. */
  load: number;
  /** The bench went before the others. */
  first: boolean;
  /** Whether contender and generator had a core each. */
  pinned: boolean;
}

export function machineFacts(): MachineFacts {
  const tmux = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${system()} ${release()}`,
    node: process.versions.node,
    tmux: tmux.status === 0 ? tmux.stdout.trim().replace('tmux ', '') : 'none',
    load: Math.round(loadavg()[0] ?? 0),
    first: getPriority() < 0,
    pinned: isPinned,
  };
}
