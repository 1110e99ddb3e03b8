/** A token of OAuth 2.0. */
export interface Token {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch from which it is no longer used: shortly before it expires. */
  readonly usedUntil: number;
}

/** Where tokens of logins in the browser are kept: VS Code's secret storage. They are credentials. */
export interface TokenStore {
  /** Undefined when there is none. */
  read(name: string): Promise<string | undefined>;
  /** Undefined removes it. */
  write(name: string, value: string | undefined): Promise<void>;
}

/** The token of one login. */
export interface KeptToken {
  read(): Promise<Token | undefined>;
  write(token: Token | undefined): Promise<void>;
}

/** One name for each login: another server, client or scope is another one. */
export function tokenName(tokenUrl: URL, clientId: string, scope: string | undefined): string {
  return ['oauth', tokenUrl.href, clientId, scope ?? ''].join(' ');
}

export function keptToken(store: TokenStore, name: string): KeptToken {
  return {
    async read() {
      const text = await store.read(name);
      return text === undefined ? undefined : parseToken(text);
    },
    write: (token) => store.write(name, token && JSON.stringify(token)),
  };
}

function parseToken(text: string): Token | undefined {
  try {
    const token = JSON.parse(text) as Partial<Token> | null;
    return typeof token?.accessToken === 'string' && typeof token.usedUntil === 'number' ? (token as Token) : undefined;
  } catch {
    return undefined;
  }
}
