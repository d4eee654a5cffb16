/** Where the comments of a review go. */
export interface Outlet {
  /** It keeps its text until the daemon has stored it; `send` returns whether it has. */
  draft: {
    text: string;
    readonly sending: { readonly isBusy: boolean; readonly error: { message: string } | null };
    send: () => Promise<boolean>;
  };
  /** What happens to the message sent last; null before. */
  sentText: string | null;
}
