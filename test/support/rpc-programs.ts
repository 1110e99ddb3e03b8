import { fileURLToPath } from 'node:url';
import { type Shape, count, object, text } from '../../protocol/shapes/shape.ts';
import type { ChildProgram } from '../../server/src/engine/rpc/child-process.ts';
import type { ParamShapes } from '../../server/src/engine/rpc/rpc-messages.ts';

/** Handled by `rpc-service.ts`. */
export interface ServiceMethods {
  readonly pid: { readonly params: object; readonly result: number };
  /** Reports every number from 1, then returns the last one. */
  readonly countTo: { readonly params: { readonly last: number }; readonly result: number; readonly progress: number };
  readonly fail: { readonly params: { readonly message: string }; readonly result: never };
  /** Returns the reason of its abort. */
  readonly untilAborted: { readonly params: object; readonly result: string; readonly progress: 'started' };
  readonly exit: { readonly params: { readonly code: number }; readonly result: never };
  readonly neverReturn: { readonly params: object; readonly result: never };
}

const nothing: Shape<object> = object({});

export const serviceShapes: ParamShapes<ServiceMethods> = {
  pid: nothing,
  countTo: object({ last: count }),
  fail: object({ message: text }),
  untilAborted: nothing,
  exit: object({ code: count }),
  neverReturn: nothing,
};

/** Handled by `rpc-job.ts`. */
export interface JobMethods {
  /** Greets by a name requested from the parent. */
  readonly greet: { readonly params: object; readonly result: string };
  /**
   * Reports that it has started, blocks its process until the file exists, reports again, waits to be aborted, and writes the reason
   * into `FILE.aborted`.
   */
  readonly reportAfter: {
    readonly params: { readonly file: string };
    readonly result: string;
    readonly progress: 'started' | 'late';
  };
}

export const jobShapes: ParamShapes<JobMethods> = { greet: nothing, reportAfter: object({ file: text }) };

/** Handled by the parent of `rpc-job.ts`. */
export interface NameMethods {
  readonly name: { readonly params: { readonly letters: number }; readonly result: string | undefined };
}

export const nameShapes: ParamShapes<NameMethods> = { name: object({ letters: count }) };

export function rpcProgram(name: 'rpc-service' | 'rpc-job'): ChildProgram {
  return { path: fileURLToPath(new URL(`${name}.ts`, import.meta.url)), flags: ['--import', 'tsx'] };
}
