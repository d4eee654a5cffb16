/** The loops of a drill: work for long, complete soon, crash once or twice, never start. */

const PLAN = signal('plan', '(generated)', 'check');
const PASS = signal('check', 'PASS', 'exec');
const DONE = signal('exec', '(done)', 'check');
const ACCEPT = signal('check', 'ACCEPT', 'merge');
const MERGED = signal('merge', 'success', 'report');
const REPORT = signal('report', '(generated)', '(stop)');

export function drillScenarios(): object[] {
  const long = Array.from({ length: 200 }, () => [step(150, PASS), step(150, DONE)]).flat();
  const short = [PLAN, PASS, DONE, ACCEPT, MERGED, REPORT].map((what) => step(60, what));
  const [first, second, ...rest] = short;
  return [
    { after: 'exit', steps: [step(60, PLAN), ...long] },
    { after: 'exit', steps: [step(100, PLAN), ...long] },
    { after: 'exit', steps: short },
    { after: 'exit', steps: [first, second, crash(1), ...rest] },
    { after: 'exit', steps: [first, crash(2), second, ...long] },
    { after: 'exit', steps: [{ do: 'exit', code: 1 }] },
  ];
}

function step(work_ms: number, what: object): object {
  return { do: 'step', work_ms, signal: what };
}

function crash(times: number): object {
  return { do: 'crash', signal: 'SIGKILL', times };
}

function signal(step: string, result: string, next: string): object {
  return { step, result, next };
}
