/** The input of a form, kept for this tab. */

/** Fields that a newer version of the page no longer has are omitted. */
export function readDraft<Values extends object>(key: string, empty: Values): Values {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, unknown>;
    const known = Object.entries(kept).filter(([field]) => field in empty);
    return { ...empty, ...Object.fromEntries(known) };
  } catch {
    return empty;
  }
}

export function keepDraft(key: string, values: object): void {
  sessionStorage.setItem(key, JSON.stringify(values));
}
