import type { Mark, Tone } from '$lib/ui/tone.ts';
import type { ScreenMoment } from '$shared/past-screen.ts';

interface MomentLook {
  label: string;
  tone: Tone;
  /** Null: it happens too often to be drawn as more than a line. */
  mark: Mark | null;
}

/** Each moment of a screen by word, shape and colour. */
export const MOMENT_LOOK: Record<ScreenMoment, MomentLook> = {
  agent: { label: 'Agent changed', tone: 'idle', mark: null },
  signal: { label: 'Signal', tone: 'work', mark: 'disc' },
  restart: { label: 'Restart', tone: 'work', mark: 'ring' },
  recovery: { label: 'Recovery', tone: 'wait', mark: 'half' },
  quota: { label: 'Quota', tone: 'wait', mark: 'clock' },
  stall: { label: 'Stall', tone: 'wait', mark: 'dash' },
  attention: { label: 'Needs a person', tone: 'wait', mark: 'square' },
  end: { label: 'End', tone: 'idle', mark: 'tick' },
  crash: { label: 'Crash', tone: 'fail', mark: 'cross' },
};
