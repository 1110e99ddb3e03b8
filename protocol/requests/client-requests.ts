/** Requests, server → client. */
export interface ClientRequests {
  /**
   * Whether a value may be sent to the given place. With `prompt`, a user waits and is asked if undecided; with
   * `offer`, nobody waits, and a notification may offer to allow it. Every result but `allowed: true` refuses.
   */
  'entityGraph/allowSecret': {
    params: SecretUse & { prompt: boolean; offer?: boolean | undefined };
    result: { allowed: boolean } | null;
  };
  /**
   * The value of `${secret:NAME}` from secret storage for all of its places. With `prompt`, asks the user when it is
   * missing.
   */
  'entityGraph/secret': {
    params: { name: string; prompt: boolean; uses: readonly SecretUse[] };
    result: { value: string | null };
  };
  /** The token of a browser login from secret storage. */
  'entityGraph/token': { params: { name: string }; result: { value: string | null } };
  /** Stores or deletes such a token. */
  'entityGraph/keepToken': { params: { name: string; value: string | null }; result: null };
  /** Opens a login page with the redirect address added; null when the user cancelled. */
  'entityGraph/authorize': { params: AuthorizationRequest; result: AuthorizationAnswer | null };
}

/** A value that a data source sends to a server. Consent is per combination of all fields but `dataSource`. */
export interface SecretUse {
  /** `${secret:NAME}`, `${env:NAME}`, or the token of a browser login: `name` is then its issuing origin. */
  readonly value: 'secret' | 'env' | 'login';
  readonly name: string;
  /** Source kind. */
  readonly kind: string;
  /** Scheme, host and port of the server, such as `https://acme.example`. */
  readonly origin: string;
  /** The user of the login; empty without one. */
  readonly user: string;
  /** Description of the connection's protection. */
  readonly tls: string;
  readonly dataSource: string;
  /** Absolute path of the data sources file. */
  readonly file: string;
}

export interface AuthorizationRequest {
  readonly dataSource: string;
  readonly url: string;
  /** Identifies the request in the callback. */
  readonly state: string;
  /** The configured redirect address. */
  readonly redirectUri?: string | undefined;
}

/** The parameters of the callback. */
export interface AuthorizationAnswer {
  readonly redirectUri: string;
  readonly code?: string;
  /** The error parameter of the callback. */
  readonly error?: string;
}
