export interface StartPrefill {
  session: string | null;
  taskDir: string | null;
}

/** Whether the start dialog is open, and what it is filled with. */
export class StartRequest {
  current = $state.raw<StartPrefill | null>(null);

  open(prefill: Partial<StartPrefill> = {}): void {
    this.current = { session: null, taskDir: null, ...prefill };
  }

  close(): void {
    this.current = null;
  }
}
