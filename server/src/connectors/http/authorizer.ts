/** Authenticates requests. */
export interface Authorizer {
  /** Headers for a request. Rejects with a `SourceError` when authentication fails. */
  headers(signal: AbortSignal | undefined): Promise<Readonly<Record<string, string>>>;
  /** Called after 401 with the rejected headers; resolves to whether to retry. */
  renew(refused: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<boolean>;
}

/** Constant headers: Basic, an API key, or none with a client certificate. */
export function fixedAuthorizer(headers: Readonly<Record<string, string>>): Authorizer {
  return { headers: async () => headers, renew: async () => false };
}

export function basicHeaders(user: string, password: string): Readonly<Record<string, string>> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
}
