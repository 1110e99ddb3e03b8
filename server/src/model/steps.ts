/** Work that yields after each piece, so that other requests are served; returns its result at the end. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs all of it at once. */
export function toEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
