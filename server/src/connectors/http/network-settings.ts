/**
 * The editor's network settings (`http.proxy` and others); environment variables are the fallback. Serialisable for the
 * import process.
 */
export interface NetworkSettings {
  /** Address of a proxy. */
  readonly proxy?: string | undefined;
  /** The value of `Proxy-Authorization` for that proxy. A credential, sent to the proxy only. */
  readonly proxyAuthorization?: string | undefined;
  /** False: the certificate of a proxy is not checked. That of the data source always is. */
  readonly proxyStrictSSL?: boolean | undefined;
  /** Hosts to reach directly, as in the variable `NO_PROXY`. */
  readonly noProxy?: readonly string[] | undefined;
  /** True: only a proxy set in the data source is used. */
  readonly proxyOff?: boolean | undefined;
  /** True: authorities of the operating system are trusted as well. */
  readonly systemCertificates?: boolean | undefined;
}
