/** The relevant properties of an error of the driver, of Node or of the server. */
export interface ForeignError {
  readonly message: string;
  readonly code?: string | undefined;
  /** Set for errors of the server only. */
  readonly number?: number | undefined;
}

/** Reads the properties of an unknown error. */
export function readForeignError(error: unknown): ForeignError {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const { message, sqlMessage, code, errno, sqlState } = error as Readonly<Record<string, unknown>>;
  const isOfServer = typeof errno === 'number' && errno > 0 && typeof sqlState === 'string';
  return {
    message: typeof sqlMessage === 'string' ? sqlMessage : String(message ?? ''),
    code: typeof code === 'string' ? code : undefined,
    number: isOfServer ? errno : undefined,
  };
}
