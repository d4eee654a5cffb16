/** Events within this time are read together. */
const GATHER_MS = 30;

interface Turn {
  /** Touched since the last read began. */
  isTouched: boolean;
}

/**
 * Returns a function that marks a key as touched. A key is read once at a time and at most once per
 * `everyMs`, and the last touch is always followed by a read.
 */
export function throttleReads<Value>(
  everyMs: number,
  read: (key: string) => Promise<Value>,
  use: (key: string, value: Value) => void,
): (key: string) => void {
  const turns = new Map<string, Turn>();

  async function readUntilQuiet(key: string, turn: Turn): Promise<void> {
    do {
      turn.isTouched = false;
      const rest = new Promise((resolve) => setTimeout(resolve, everyMs));
      // After a failed read, the next event or the next full read catches up.
      const value = await read(key).catch(() => null);
      if (value !== null) use(key, value);
      await rest;
    } while (wasTouched(turn));
    turns.delete(key);
  }

  return (key) => {
    const turn = turns.get(key);
    if (turn !== undefined) {
      turn.isTouched = true;
      return;
    }
    const first: Turn = { isTouched: true };
    turns.set(key, first);
    setTimeout(() => void readUntilQuiet(key, first), GATHER_MS);
  };
}

/** It can be set during a read, which the compiler cannot know. */
function wasTouched({ isTouched }: Turn): boolean {
  return isTouched;
}
