/** Work that stops after each piece, so that others can have their turn; it gives its result at the end. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** All of it at once. */
export function toEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
