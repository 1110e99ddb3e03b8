/** What makes requests those of a user. */
export interface Authorizer {
  /** Headers to add to a request. Rejects with a `SourceError` when no login can be had. */
  headers(signal: AbortSignal | undefined): Promise<Readonly<Record<string, string>>>;
  /** Called after 401 with the headers that were refused; resolves to whether another attempt makes sense. */
  renew(refused: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<boolean>;
}

/** The same headers on every request: Basic, an API key, or none where the certificate is the login. */
export function fixedAuthorizer(headers: Readonly<Record<string, string>>): Authorizer {
  return { headers: async () => headers, renew: async () => false };
}

export function basicHeaders(user: string, password: string): Readonly<Record<string, string>> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
}
