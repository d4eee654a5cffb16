/**
 * Every living process with its environment and its command line, read once for all who search at the
 * same time: many terminals end together, and each end searches the whole machine several times.
 */
import type { Clock } from './clock.ts';
import type { ListedProcess, Processes } from './processes.ts';
import { sharedNext } from './shared-next.ts';
import { within } from './within.ts';

export interface SurveyedProcess extends ListedProcess {
  /** As it was started: `\0NAME=value\0…`; '' where it cannot be read. */
  environment: string;
  /** `\0word\0…`; '' where it cannot be read. */
  words: string;
}

/** A process in the kernel's hands may not let itself be read. */
const READ_MS = 5_000;
/** More would wait for one another, and a loaded machine would seem to hang. */
const AT_ONCE = 16;

const surveys = new WeakMap<Processes, () => Promise<SurveyedProcess[]>>();

/** No answer is older than its question. Rejects when the system cannot list its processes. */
export async function surveyProcesses(
  processes: Processes,
  clock: Clock,
): Promise<SurveyedProcess[]> {
  const known = surveys.get(processes);
  if (known !== undefined) return known();
  const take = sharedNext(surveyor(processes, clock));
  surveys.set(processes, take);
  return take();
}

function surveyor(processes: Processes, clock: Clock): () => Promise<SurveyedProcess[]> {
  /** Did not let themselves be read, and are not asked again. */
  let silent = new Set<string>();
  const nameOf = ({ pid, startedAt }: ListedProcess) => `${pid} ${startedAt}`;
  const look = async (each: ListedProcess): Promise<SurveyedProcess> => {
    if (silent.has(nameOf(each))) return { ...each, environment: '', words: '' };
    const both = Promise.all([processes.environment(each.pid), processes.words(each.pid)]);
    const read = await within(clock, READ_MS, both);
    if (read === null) silent.add(nameOf(each));
    const [environment, words] = read?.answer ?? ['', ''];
    return { ...each, environment, words };
  };
  return async () => {
    const listed = await processes.list();
    silent = new Set(listed.map(nameOf).filter((name) => silent.has(name)));
    const found: SurveyedProcess[] = [];
    for (let from = 0; from < listed.length; from += AT_ONCE) {
      found.push(...(await Promise.all(listed.slice(from, from + AT_ONCE).map(look))));
    }
    return found;
  };
}
