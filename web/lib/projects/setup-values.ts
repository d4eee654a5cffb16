/** The setup of a project as a person edits it: lists are lines. Pure. */
import type { ProjectSetup } from '$shared/schema/tasks/project-setup.ts';

export interface SetupValues {
  path: string;
  copy: string;
  share: string;
  setup: string;
  teardown: string;
  minutes: string;
}

const USUAL_MINUTES = 10;

/** Null is a new one. */
export function setupValues(setup: ProjectSetup | null): SetupValues {
  return {
    path: setup?.project ?? '',
    copy: (setup?.copy ?? []).join('\n'),
    share: (setup?.share ?? []).join('\n'),
    setup: setup?.setup ?? '',
    teardown: setup?.teardown ?? '',
    minutes: String(setup?.minutes ?? USUAL_MINUTES),
  };
}

/** What is sent. A number of minutes that is none stays text, and the daemon names the field. */
export function setupBody({ path, copy, share, setup, teardown, minutes }: SetupValues) {
  return {
    path: path.trim(),
    copy: lines(copy),
    share: lines(share),
    setup: setup.trim() || null,
    teardown: teardown.trim() || null,
    minutes: Number(minutes.trim() || USUAL_MINUTES),
  };
}

/** One trailing slash is how people write a folder. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/(?<=.)\/$/, ''))
    .filter((line) => line !== '');
}
