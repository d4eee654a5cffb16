/** What a loop needs of the machine: git, room on the disk, watches of the system. */
import { readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import type { PreflightCheck } from '../../shared/schema/model.ts';
import type { ProgramVersions } from '../lib/program-versions.ts';

const MIB = 1024 * 1024;
/** Below this the database and the log of a night do not fit beside what agents write. */
const MIN_FREE_BYTES = 500 * MIB;
/** Above this share of the system's limit the next loops may go without hints, by poll alone. */
const MAX_SHARE = 0.9;

/** Takes how to ask programs; tells whether git is there. */
export async function gitCheck(versions: ProgramVersions): Promise<PreflightCheck> {
  const version = await versions.of('git');
  if (version !== null) return { name: 'git', ok: true, detail: version, fix: null };
  const fix = 'Install git (apt install git, brew install git).';
  return { name: 'git', ok: false, detail: 'git is not installed.', fix };
}

/** Takes the home, or a directory above it while it does not exist; tells how much room is left. */
export function diskCheck(directory: string): PreflightCheck {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return judgeDisk(directory, bavail * bsize);
  } catch {
    const detail = `Cannot read the free space of ${directory}.`;
    return { name: 'disk', ok: false, detail, fix: 'Check that the disk is mounted.' };
  }
}

/** Takes a directory and its free bytes; tells whether they suffice. */
export function judgeDisk(directory: string, freeBytes: number): PreflightCheck {
  const detail = `${Math.floor(freeBytes / MIB)} MB free at ${directory}`;
  if (freeBytes >= MIN_FREE_BYTES) return { name: 'disk', ok: true, detail, fix: null };
  const fix =
    'Free some space, or move the home with LOOPWATCH_HOME; at least 500 MB are required.';
  return { name: 'disk', ok: false, detail: `Only ${detail}.`, fix };
}

export interface InotifyUse {
  watches: number;
  instances: number;
  maxWatches: number;
  maxInstances: number;
}

/** Gives the check, or null where the system has no such limits (or no /proc to read them in). */
export function inotifyCheck(): PreflightCheck | null {
  const use = readInotify();
  return use === null ? null : judgeInotify(use);
}

/** Takes what is used and allowed; tells whether there is room for more. */
export function judgeInotify(use: InotifyUse): PreflightCheck {
  const { watches, instances, maxWatches, maxInstances } = use;
  const detail = `inotify: ${watches} of ${maxWatches} watches, ${instances} of ${maxInstances} instances in use`;
  const room = watches <= maxWatches * MAX_SHARE && instances <= maxInstances * MAX_SHARE;
  if (room) return { name: 'inotify', ok: true, detail, fix: null };
  const short = watches > maxWatches * MAX_SHARE ? 'max_user_watches' : 'max_user_instances';
  const fix = `sudo sysctl fs.inotify.${short}=${(short === 'max_user_watches' ? maxWatches : maxInstances) * 4}; without it, changes are only found by polling.`;
  return { name: 'inotify', ok: false, detail: `${detail}.`, fix };
}

function readInotify(): InotifyUse | null {
  try {
    const limit = (name: string) =>
      Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8').trim());
    const limits = {
      maxWatches: limit('max_user_watches'),
      maxInstances: limit('max_user_instances'),
    };
    const counts = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(watchesOf);
    const watches = counts.reduce((sum, count) => sum + count, 0);
    return { ...limits, watches, instances: counts.length };
  } catch {
    return null;
  }
}

/** The watches of each instance a process holds; only those of the same user can be read. */
function watchesOf(pid: string): number[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
      .filter((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === 'anon_inode:inotify')
      .map(
        (fd) => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8').split('inotify wd:').length - 1,
      );
  } catch {
    return [];
  }
}
