import type { LinkState } from '$lib/client/link-status.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';

/** Label, shape, colour and explanation of each state of the connection. */
export const LINK_STYLE: Record<LinkState, BadgeStyle & { text: string }> = {
  connecting: {
    label: 'Connecting',
    tone: 'idle',
    mark: 'ring',
    text: 'Connecting to the daemon.',
  },
  live: { label: 'Live', tone: 'good', mark: 'disc', text: 'Connected live.' },
  resuming: {
    label: 'Resuming',
    tone: 'wait',
    mark: 'ring',
    text: 'The live connection dropped. Resuming where it left off.',
  },
  polling: {
    label: 'Polling',
    tone: 'wait',
    mark: 'half',
    text: 'No live connection. Polling instead, and retrying.',
  },
  offline: {
    label: 'Offline',
    tone: 'fail',
    mark: 'cross',
    text: 'The daemon does not respond. Retrying.',
  },
};
