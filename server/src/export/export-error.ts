/** A graph that a form cannot say, in the user's words. */
export class ExportError extends Error {
  constructor(
    readonly code: 'time-out-of-range' | 'entity-type-missing' | 'entity-type-unknown' | 'no-entities',
    message: string,
    readonly remedy: string,
  ) {
    super(message);
    this.name = 'ExportError';
  }
}
