/** What was typed into the start dialog, kept for this tab until a loop is started with it. */
const KEY = 'loopwatch-start-draft';

export interface StartDraft {
  session: string;
  typedName: string | null;
  cwd: string;
  taskDir: string;
  maxIterations: number | null;
  timeoutMinutes: number | null;
}

/** Gives the draft of this tab; what is missing or not of its kind is left out. */
export function readDraft(): Partial<StartDraft> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    const text = (name: string) => (typeof kept[name] === 'string' ? { [name]: kept[name] } : {});
    const number = (name: string) => (Number.isInteger(kept[name]) ? { [name]: kept[name] } : {});
    return {
      ...text('session'),
      ...text('typedName'),
      ...text('cwd'),
      ...text('taskDir'),
      ...number('maxIterations'),
      ...number('timeoutMinutes'),
    };
  } catch {
    return {};
  }
}

export function keepDraft(draft: StartDraft): void {
  sessionStorage.setItem(KEY, JSON.stringify(draft));
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEY);
}
