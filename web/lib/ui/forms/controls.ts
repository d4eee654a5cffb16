import { createContext } from 'svelte';

/** Whether what acts on a host can be used: not while the host cannot be reached. */
export interface Controls {
  readonly areOff: boolean;
}

export const [getControls, setControls] = createContext<Controls>();
