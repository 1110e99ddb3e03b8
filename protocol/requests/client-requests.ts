import { type Checked, type Shape, anything, flag, nullable, object, optional, text } from '../shapes/shape.ts';

/** A request of the server: the schema of the response, and the result where the client does not answer. */
interface ClientRequest<out Params, out Result> {
  readonly result: Shape<Result>;
  readonly unanswered: Result;
  /** Phantom member: tells the compiler the type of the parameters. */
  readonly params?: Params;
}

function asks<Params>() {
  return <Result>(result: Shape<Result>, unanswered: NoInfer<Result>): ClientRequest<Params, Result> => ({
    result,
    unanswered,
  });
}

const keptValue = object({ value: nullable(text) });

/** The parameters of the callback. */
const authorizationAnswer = object({
  redirectUri: text,
  code: optional(text),
  /** The error parameter of the callback. */
  error: optional(text),
});

/** Requests, server → client. */
export const clientRequests = {
  /**
   * Whether a value may be sent to the given place. With `prompt`, a user waits and is asked if undecided; with
   * `offer`, nobody waits, and a notification may offer to allow it. Every result but `allowed: true` refuses.
   */
  'entityGraph/allowSecret': asks<SecretUse & { prompt: boolean; offer?: boolean | undefined }>()(
    nullable(object({ allowed: flag })),
    { allowed: false },
  ),
  /**
   * The value of `${secret:NAME}` from secret storage for all of its places. With `prompt`, asks the user when it is
   * missing.
   */
  'entityGraph/secret': asks<{ name: string; prompt: boolean; uses: readonly SecretUse[] }>()(keptValue, {
    value: null,
  }),
  /** The token of a browser login from secret storage. */
  'entityGraph/token': asks<{ name: string }>()(keptValue, { value: null }),
  /** Stores or deletes such a token. */
  'entityGraph/keepToken': asks<{ name: string; value: string | null }>()(anything as Shape<null>, null),
  /** Opens a login page with the redirect address added; null when the user cancelled. */
  'entityGraph/authorize': asks<AuthorizationRequest>()(nullable(authorizationAnswer), null),
};

export type ClientRequests = {
  readonly [M in keyof typeof clientRequests]: (typeof clientRequests)[M] extends ClientRequest<infer P, infer R>
    ? { readonly params: P; readonly result: R }
    : never;
};

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

export type AuthorizationAnswer = Checked<typeof authorizationAnswer>;
