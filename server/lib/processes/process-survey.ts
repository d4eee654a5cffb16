/**
 * Every living process with its environment and command line, read once for all searches at the
 * same time: many terminals end together, and each end searches the whole machine several times.
 */
import type { Clock } from '../clock.ts';
import type { ListedProcess, Processes } from './processes.ts';
import { sharedNext } from '../shared-next.ts';
import { within } from '../within.ts';

export interface SurveyedProcess extends ListedProcess {
  /** At the start of the process: `\0NAME=value\0…`; '' when unreadable. */
  environment: string;
  /** `\0argument\0…`; '' when unreadable. */
  commandLine: string;
}

const LIST_MS = 15_000;
/** Reading a process that hangs in the kernel may block. */
const READ_MS = 5_000;
/** More would queue behind one another, and a loaded machine would seem to hang. */
const AT_ONCE = 16;

class Survey {
  /** Increases while a survey makes progress. */
  steps = 0;
  readonly take = sharedNext(async () => this.#take());
  readonly #processes: Processes;
  readonly #clock: Clock;
  /** Could not be read and are not tried again. */
  #silent = new Set<string>();

  constructor(processes: Processes, clock: Clock) {
    this.#processes = processes;
    this.#clock = clock;
  }

  async #take(): Promise<SurveyedProcess[]> {
    // Without a bound, one that hangs would block every later search too.
    const list = await within(this.#clock, LIST_MS, this.#processes.list());
    if (list === null) throw new Error('cannot list the processes of this machine');
    const listed = list.answer;
    this.#silent = new Set(listed.map(nameOf).filter((name) => this.#silent.has(name)));
    const found: SurveyedProcess[] = [];
    for (let from = 0; from < listed.length; from += AT_ONCE) {
      const some = listed.slice(from, from + AT_ONCE);
      found.push(...(await Promise.all(some.map(async (each) => this.#read(each)))));
      this.steps += 1;
    }
    return found;
  }

  async #read(each: ListedProcess): Promise<SurveyedProcess> {
    const name = nameOf(each);
    if (this.#silent.has(name)) return { ...each, environment: '', commandLine: '' };
    const { pid } = each;
    const both = Promise.all([this.#processes.environment(pid), this.#processes.commandLine(pid)]);
    const read = await within(this.#clock, READ_MS, both);
    if (read === null) this.#silent.add(name);
    const [environment, commandLine] = read?.answer ?? ['', ''];
    return { ...each, environment, commandLine };
  }
}

const surveys = new WeakMap<Processes, Survey>();

/** No answer is older than its question. Rejects when the system cannot list its processes. */
export async function surveyProcesses(
  processes: Processes,
  clock: Clock,
): Promise<SurveyedProcess[]> {
  const survey = surveys.get(processes) ?? new Survey(processes, clock);
  surveys.set(processes, survey);
  return survey.take();
}

/** Increases while a survey makes progress: distinguishes a slow survey from one that hangs. */
export function surveySteps(processes: Processes): number {
  return surveys.get(processes)?.steps ?? 0;
}

function nameOf({ pid, startedAt }: ListedProcess): string {
  return `${pid} ${startedAt}`;
}
