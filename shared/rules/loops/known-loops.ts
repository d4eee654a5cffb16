/** The loops that can run inside an agent: the slash command of each, and what it reports. */
import type { SignalProfile } from './loop-steps.ts';

/** `loopwatch` comes with this package; the others are plugins a user installs. */
export const LOOP_NAMES = ['loopwatch', 'moonview', 'ai-cli-task'] as const;
export type LoopName = (typeof LOOP_NAMES)[number];

export const KNOWN_LOOPS: Record<LoopName, { command: string; profile: SignalProfile }> = {
  loopwatch: { command: '/loopwatch:auto', profile: 'core' },
  moonview: { command: '/moonview:auto', profile: 'extended' },
  'ai-cli-task': { command: '/ai-cli-task auto', profile: 'core' },
};

/** What a start types; `{claude}`, `{flags}` and `{taskDir}` are filled in then. */
export function startTemplate(loop: LoopName): string {
  return `{claude} {flags} "${KNOWN_LOOPS[loop].command} {taskDir}"`;
}
