/** A question that names something that the graph does not have, or that cannot be read. */
export class QuestionError extends Error {
  override name = 'QuestionError';

  constructor(
    message: string,
    readonly remedy?: string | undefined,
  ) {
    super(message);
  }
}
