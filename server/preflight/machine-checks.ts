/** What a loop needs from the machine: git, disk space, file watches. */
import { readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import type { PreflightCheck } from '../../shared/schema/model.ts';
import type { ProgramVersions } from '../lib/processes/program-versions.ts';

const MIB = 1024 * 1024;
/** With less, the database and the log of one night do not fit next to the files agents write. */
const MIN_FREE_BYTES = 500 * MIB;
/** Above this share of the system's limit, further loops may get no hints and only poll. */
const MAX_SHARE = 0.9;

export async function gitCheck(versions: ProgramVersions): Promise<PreflightCheck> {
  const version = await versions.of('git');
  if (version !== null) return { name: 'git', ok: true, detail: version, fix: null };
  const fix = 'Install git (apt install git, brew install git).';
  return { name: 'git', ok: false, detail: 'git is not installed.', fix };
}

/** For the home, or the directory above it while it does not exist. */
export function diskCheck(directory: string): PreflightCheck {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return judgeDisk(directory, bavail * bsize);
  } catch {
    const detail = `Cannot read the free space of ${directory}.`;
    return { name: 'disk', ok: false, detail, fix: 'Check that the disk is mounted.' };
  }
}

export function judgeDisk(directory: string, freeBytes: number): PreflightCheck {
  const detail = `${sizeText(freeBytes)} free at ${directory}`;
  if (freeBytes >= MIN_FREE_BYTES) return { name: 'disk', ok: true, detail, fix: null };
  const fix =
    'Free some space, or move the home with LOOPWATCH_HOME; at least 500 MB are required.';
  return { name: 'disk', ok: false, detail: `Only ${detail}.`, fix };
}

function sizeText(bytes: number): string {
  const megabytes = Math.floor(bytes / MIB);
  return megabytes < 1024 ? `${megabytes} MB` : `${counted(Math.floor(megabytes / 1024))} GB`;
}

function counted(number: number): string {
  return number.toLocaleString('en');
}

export interface InotifyUse {
  watches: number;
  instances: number;
  maxWatches: number;
  maxInstances: number;
}

/** Null where the system has no such limits (or no /proc to read them in). */
export function inotifyCheck(): PreflightCheck | null {
  const use = readInotify();
  return use === null ? null : judgeInotify(use);
}

export function judgeInotify(use: InotifyUse): PreflightCheck {
  const { watches, instances, maxWatches, maxInstances } = use;
  const detail = `${counted(watches)} of ${counted(maxWatches)} watches, ${counted(instances)} of ${counted(maxInstances)} instances in use`;
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

/**
 * The watches of each inotify instance of a process; only processes of the same user can be read.
 */
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
