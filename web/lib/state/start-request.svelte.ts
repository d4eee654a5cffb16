export interface StartWish {
  session: string | null;
  taskDir: string | null;
}

/** Whether the start dialog is open, and its preset. */
export class StartRequest {
  current = $state.raw<StartWish | null>(null);

  open(wish: Partial<StartWish> = {}): void {
    this.current = { session: null, taskDir: null, ...wish };
  }

  close(): void {
    this.current = null;
  }
}
