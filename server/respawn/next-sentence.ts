/** What happens next, in one sentence. */
import { RESPAWN_BLOCK_TEXT, RESPAWN_STEP_TEXT } from '../../shared/words/respawn-text.ts';
import { stepOf } from './machine/guards.ts';
import type { RespawnState } from './machine/respawn-state.ts';

export function nextSentence({ run, visit, config }: RespawnState): string {
  if (run === null) return config.enabled ? 'Start it to continue.' : 'Turn it on, then start it.';
  if (run.pausedAtMs !== null) return 'Resume it to continue.';
  if (run.block !== null) return RESPAWN_BLOCK_TEXT[run.block.reason].next;
  switch (visit.status) {
    case 'watching':
      return 'Waits until the agent is idle.';
    case 'confirming_idle':
      return 'Begins a cycle if the agent stays idle.';
    case 'ai_checking':
      return 'A model decides whether the agent is idle.';
    case 'monitoring_init':
      return 'Sends the kickstart if init leads to no work.';
    default: {
      const name = RESPAWN_STEP_TEXT[stepOf(visit.status)].toLowerCase();
      if (!('input' in visit)) return `Waits until ${name} is done.`;
      return visit.input === null ? `Sends ${name}.` : `Waits until ${name} is delivered.`;
    }
  }
}
