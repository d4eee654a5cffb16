/** Label, shape and colour of each state of a live terminal. */
import type { BadgeStyle, Mark, Tone } from '$lib/ui/tone.ts';
import type { EndReason, TerminalLink } from './terminal-link.ts';

const ENDED: Record<EndReason, string> = {
  terminal_gone: 'The terminal has ended. This is its last screen.',
  terminal_replaced: 'The session has a new terminal. Open it to continue.',
  terminal_failed: 'The terminal cannot be shown. Try again in a moment.',
  daemon_stopping: 'The daemon is stopping. The session may keep running.',
  session_unknown: 'This session no longer exists.',
  refused: 'The daemon refused the connection. Reload the page.',
};

/** Who has control, or why it is not live. */
export function linkStyle(link: TerminalLink): BadgeStyle {
  if (link.phase === 'ended') return { label: 'Ended', tone: 'idle', mark: 'dash' };
  if (link.phase === 'waiting') return { label: 'Not live', tone: 'wait', mark: 'clock' };
  if (link.phase !== 'attached') return { label: 'Connecting', tone: 'idle', mark: 'ring' };
  if (link.controls) return { label: 'You have control', tone: 'work', mark: 'disc' };
  if (link.other === null) return { label: 'No one has control', tone: 'idle', mark: 'ring' };
  return { label: `${link.other} has control`, tone: 'idle', mark: 'half' };
}

/** The problem to show, or null. */
export function problemOf(link: TerminalLink): { tone: Tone; mark: Mark; text: string } | null {
  if (link.end !== null) return { tone: 'idle', mark: 'dash', text: ENDED[link.end] };
  if (link.failures > 0 && link.phase !== 'attached') {
    const text =
      'Not live: connection lost. This is the last screen; keys are not sent until it is back.';
    return { tone: 'wait', mark: 'clock', text };
  }
  if (link.rival === null) return null;
  const { name, took } = link.rival;
  const text = took
    ? `${name} took control. You are view-only now.`
    : `${name} has control. You are view-only.`;
  return { tone: 'wait', mark: 'half', text };
}
