import { SourceError } from '../source-error.ts';

/** A response beyond the memory limit; a smaller page may fit. */
export class ResponseTooLarge extends SourceError {
  constructor(peer: string, bytes: number) {
    super('source-failed', `${peer} answers with more than ${Math.round(bytes / 1_000_000)} MB at once.`, {
      remedy: 'Ask for smaller pages, for fewer columns, or filter the rows with where.',
    });
  }
}

/** Limit in bytes: texts of twice this size exceed what a process can hold. */
export const maxResponseBytes = 256_000_000;
