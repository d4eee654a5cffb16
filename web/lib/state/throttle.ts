/** Events of one moment are read together. */
const GATHER_MS = 30;

interface Turn {
  /** Touched since the last read began. */
  isTouched: boolean;
}

/**
 * Takes the shortest time between two reads of a key, and a reader; gives a function that marks a
 * key as touched. However often that is, a key is read once at a time and at most once in that
 * time, and the last touch is always followed by a read.
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
      // A read that fails is made good by the next event or by the next full read.
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

/** Others set it while a read is under way, which the compiler cannot know. */
function wasTouched({ isTouched }: Turn): boolean {
  return isTouched;
}
