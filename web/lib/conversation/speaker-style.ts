/** Shows authors by name, position and shape, not only by colour. */
import type { Mark, Tone } from '$lib/ui/tone.ts';
import type { InteractionType } from '$shared/schema/tasks/interaction.ts';

export interface SpeakerStyle {
  label: string;
  tone: Tone;
  mark: Mark;
  /** People's messages stand out; the daemon's notes are muted. */
  style: 'person' | 'agent' | 'auto' | 'note';
}

export const SPEAKER: Record<InteractionType, SpeakerStyle> = {
  user_request: { label: 'Person', tone: 'idle', mark: 'half', style: 'person' },
  claude_response: { label: 'Agent', tone: 'work', mark: 'disc', style: 'agent' },
  simulated_human: { label: 'Automatic', tone: 'idle', mark: 'ring', style: 'auto' },
  tool_result: { label: 'Tool', tone: 'idle', mark: 'square', style: 'note' },
  system_message: { label: 'System message', tone: 'wait', mark: 'dash', style: 'note' },
};
