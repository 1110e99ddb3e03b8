/**
 * What the editor says of the network (`http.proxy` and its siblings); where it says nothing, the environment's variables
 * hold. Plain data, as it travels to the process that imports.
 */
export interface NetworkSettings {
  /** Address of a proxy. */
  readonly proxy?: string;
  /** The value of `Proxy-Authorization` for that proxy. A credential: it goes to the proxy only. */
  readonly proxyAuthorization?: string;
  /** False: the certificate of a proxy is not checked. That of the data source always is. */
  readonly proxyStrictSSL?: boolean;
  /** Hosts to reach without that proxy, as in the variable `NO_PROXY`. */
  readonly noProxy?: readonly string[];
  /** True: only a proxy that the data source names is used. */
  readonly proxyOff?: boolean;
  /** True: authorities that the operating system trusts are trusted as well. */
  readonly systemCertificates?: boolean;
}
