/**
 * One member of a union of states: it has `Always`, may have `Sometimes`, and nothing else of `Parts`.
 * A combination that no member allows does not compile.
 */
export type Only<
  Parts,
  Always extends keyof Parts = never,
  Sometimes extends keyof Parts = never,
> = { [Part in Always]: Parts[Part] } & { [Part in Sometimes]: Parts[Part] | null } & {
  [Part in Exclude<keyof Parts, Always | Sometimes>]: null;
};
