/** An OAuth 2.0 token. */
export interface Token {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch from which it is not used any more: shortly before its expiry. */
  readonly usedUntil: number;
}

/** Storage of tokens, such as VS Code's secret storage. Tokens are credentials. */
export interface TokenStore {
  /** Undefined without a token. */
  read(name: string): Promise<string | undefined>;
  /** Undefined deletes it. */
  write(name: string, value: string | undefined): Promise<void>;
  /** Runs something exclusively across processes for the same key. */
  exclusively?<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** The token of one login. */
export interface StoredToken {
  read(): Promise<Token | undefined>;
  write(token: Token | undefined): Promise<void>;
  /** Renews it exclusively across processes: a refresh token may be valid once, and its reuse may revoke the login. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** A hash of everything the token was issued for, secrets included: with another hash it is not used. */
type TokenProof = () => Promise<string | undefined>;

export function storedToken(store: TokenStore, name: string, proofOf: TokenProof): StoredToken {
  return {
    async read() {
      const text = await store.read(name);
      return text === undefined ? undefined : parseToken(text, await proofOf());
    },
    async write(token) {
      const proof = await proofOf();
      await store.write(name, token && JSON.stringify({ ...token, proof }));
    },
    exclusively: (work) => (store.exclusively ? store.exclusively(name, work) : work()),
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
