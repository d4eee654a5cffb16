const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

/** At most three digits, such as "4.2 MB". */
export function formatBytes(bytes: number): string {
  const level = Math.min(
    UNITS.length - 1,
    Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(STEP))),
  );
  const amount = bytes / STEP ** level;
  const digits = level > 0 && amount < 10 ? 1 : 0;
  return `${amount.toFixed(digits)} ${UNITS[level] ?? 'B'}`;
}
