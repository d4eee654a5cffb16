/**
 * Why nothing was changed. `missing`: what was named is not there; `refused`: it would undo
 * something; `invalid`: what was given cannot be used; `failed`: a program or the disk failed.
 */
export type MembershipProblem = 'missing' | 'refused' | 'invalid' | 'failed';

/** Says what to do next. */
export class MembershipError extends Error {
  readonly problem: MembershipProblem;

  constructor(problem: MembershipProblem, message: string) {
    super(message);
    this.name = 'MembershipError';
    this.problem = problem;
  }
}
