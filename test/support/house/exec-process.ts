/** Runs programs for a test worker, which is far larger: see `exec-elsewhere.ts`. */
import { execFile, type ExecOptions } from '../../../server/lib/processes/exec-file.ts';

export interface ExecRequest {
  id: number;
  program: string;
  args: readonly string[];
  options: ExecOptions;
}

process.on('message', ({ id, program, args, options }: ExecRequest) => {
  void execFile(program, args, options).then((result) => {
    // The worker may have ended meanwhile.
    process.send?.({ id, result }, undefined, {}, () => undefined);
  });
});
