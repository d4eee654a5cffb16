/**
 * One member of a state: it has `Always`, may have `Sometimes`, and has nothing else of `Parts`. What
 * cannot be at the same time is in different members of a union, and does not compile.
 */
export type Only<
  Parts,
  Always extends keyof Parts = never,
  Sometimes extends keyof Parts = never,
> = { [Part in Always]: Parts[Part] } & { [Part in Sometimes]: Parts[Part] | null } & {
  [Part in Exclude<keyof Parts, Always | Sometimes>]: null;
};
