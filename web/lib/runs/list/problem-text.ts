/** What to do about stored runs that cannot be used as they are. Pure. */
import type { RunProblem } from '$shared/schema/runs/run.ts';

interface ProblemText {
  label: string;
  next: string;
}

export const PROBLEM_TEXT: Record<RunProblem['problem'], ProblemText> = {
  corrupt: {
    label: 'Corrupt',
    next: 'Rename checkpoint.previous.json in its directory to checkpoint.json if it still reads; otherwise clean it up.',
  },
  version: {
    label: 'Newer version',
    next: 'A newer Loopwatch wrote it. Update this one to use it; nothing here changes it.',
  },
  unreadable: {
    label: 'Unreadable',
    next: 'Give this machine’s user access to its directory and files, or use the program that wrote it.',
  },
  invalid_directory: {
    label: 'Directory missing',
    next: 'Restore its working directory to resume it, or clean it up.',
  },
  stale: { label: 'Stale', next: 'Open it to resume it anyway, or clean it up.' },
};
