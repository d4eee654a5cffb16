/** The sound: two short tones, made by the browser itself. */

/** Frequency in hertz and start in seconds of each tone. */
const TONES = [
  { frequency: 660, start: 0 },
  { frequency: 880, start: 0.15 },
] as const;
const LENGTH_S = 0.13;
const VOLUME = 0.15;

export class TwoTones {
  #context: AudioContext | null = null;

  /** To be called from a press of a person: browsers allow no sound before one. */
  unlock(): void {
    this.#context ??= new AudioContext();
    void this.#context.resume().catch(() => undefined);
  }

  /** Plays; gives whether the browser let it. */
  play(): boolean {
    const context = this.#context;
    if (context?.state !== 'running') return false;
    for (const { frequency, start } of TONES) {
      const begin = context.currentTime + start;
      const oscillator = context.createOscillator();
      const volume = context.createGain();
      oscillator.frequency.value = frequency;
      // A tone that begins at full volume clicks.
      volume.gain.setValueAtTime(0, begin);
      volume.gain.linearRampToValueAtTime(VOLUME, begin + 0.01);
      volume.gain.linearRampToValueAtTime(0, begin + LENGTH_S);
      oscillator.connect(volume).connect(context.destination);
      oscillator.start(begin);
      oscillator.stop(begin + LENGTH_S);
    }
    return true;
  }

  close(): void {
    void this.#context?.close().catch(() => undefined);
    this.#context = null;
  }
}
