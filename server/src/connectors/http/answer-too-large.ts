import { SourceError } from '../source-error.ts';

/** An answer of more bytes than are kept in memory: a smaller page of the same may do. */
export class AnswerTooLarge extends SourceError {
  constructor(peer: string, bytes: number) {
    super('source-failed', `${peer} answers with more than ${Math.round(bytes / 1_000_000)} MB at once.`, {
      remedy: 'Ask for smaller pages, for fewer columns, or filter the rows with where.',
    });
  }
}

/** Bytes: texts of twice as many are more than a program can hold. */
export const largestAnswer = 256_000_000;
