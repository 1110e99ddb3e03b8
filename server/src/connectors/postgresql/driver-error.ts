import type { SourceErrorCode } from '../source-error.ts';

/** Explanation of an error. */
export interface ErrorMeaning {
  readonly code: SourceErrorCode;
  /** Our message and the server's, without a full stop, because the position follows. */
  readonly cause: string;
  readonly remedy?: string | undefined;
}

/** The relevant properties of an error of the driver, of Node or of the server. */
export interface DriverError {
  readonly message: string;
  readonly code?: string;
  /** Set for errors of the server only. */
  readonly severity?: string;
  readonly position?: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** Reads the properties of an unknown error. */
export function readDriverError(error: unknown): DriverError {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const fields = error as Readonly<Record<string, unknown>>;
  const text = (name: string): Record<string, string> => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  const optional = { ...text('code'), ...text('severity'), ...text('position'), ...text('detail'), ...text('hint') };
  return { message: String(fields['message'] ?? ''), ...optional };
}
