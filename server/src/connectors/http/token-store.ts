/** An OAuth 2.0 token. */
export interface Token {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch from which it is no longer used: shortly before it expires. */
  readonly usedUntil: number;
}

/** Where tokens are kept: VS Code's secret storage. They are credentials. */
export interface TokenStore {
  /** Undefined when there is none. */
  read(name: string): Promise<string | undefined>;
  /** Undefined removes it. */
  write(name: string, value: string | undefined): Promise<void>;
  /** Does something while no other program does so under the same name. */
  alone?<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** The token of one login. */
export interface KeptToken {
  read(): Promise<Token | undefined>;
  write(token: Token | undefined): Promise<void>;
  /** Renews it while no other program does: a refresh token may be good once, and all tokens worth nothing after a second use. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** What the token was given for, hashed, secrets among it: a token that was given for something else is none. */
export type TokenProof = () => Promise<string | undefined>;

export function keptToken(store: TokenStore, name: string, proofOf: TokenProof): KeptToken {
  return {
    async read() {
      const text = await store.read(name);
      return text === undefined ? undefined : parseToken(text, await proofOf());
    },
    async write(token) {
      const proof = await proofOf();
      await store.write(name, token && JSON.stringify({ ...token, ...(proof !== undefined && { proof }) }));
    },
    alone: (work) => (store.alone ? store.alone(name, work) : work()),
  };
}

function parseToken(text: string, wanted: string | undefined): Token | undefined {
  try {
    const { proof, ...token } = JSON.parse(text) as Partial<Token> & { readonly proof?: unknown };
    const isToken = typeof token.accessToken === 'string' && typeof token.usedUntil === 'number';
    return isToken && proof === wanted ? (token as Token) : undefined;
  } catch {
    return undefined;
  }
}
