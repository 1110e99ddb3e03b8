import type { SourceErrorCode } from '../source-error.ts';

/** What an error means to the user. */
export interface ErrorMeaning {
  readonly code: SourceErrorCode;
  /** Our words and the server's, without a full stop: the place follows. */
  readonly cause: string;
  readonly remedy?: string | undefined;
}

/** The parts of a driver's, Node's or server's error that matter here. */
export interface ForeignError {
  readonly message: string;
  readonly code?: string;
  /** Only the server's own errors have one. */
  readonly severity?: string;
  readonly position?: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** Reads an error of unknown make. */
export function readForeignError(error: unknown): ForeignError {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const fields = error as Readonly<Record<string, unknown>>;
  const text = (name: string): Record<string, string> => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  const optional = { ...text('code'), ...text('severity'), ...text('position'), ...text('detail'), ...text('hint') };
  return { message: String(fields['message'] ?? ''), ...optional };
}
