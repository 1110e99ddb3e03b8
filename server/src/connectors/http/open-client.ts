import { readFile } from 'node:fs/promises';
import { SourceError } from '../source-error.ts';
import { createAgent } from './agent.ts';
import type { AuthSettings, CertificateFiles } from './auth-settings.ts';
import { basicHeaders, fixedAuthorizer, type Authorizer } from './authorizer.ts';
import { createHttpClient, type HttpAnswer, type HttpClient } from './http-client.ts';
import { oauthAuthorizer, type PostForm } from './oauth.ts';
import { isLocalHost } from './read-address.ts';
import { TransientFailure, retryAfterMs } from './transient-failure.ts';
import { withRetries, type RetryPolicy } from './with-retries.ts';

export interface ConnectionSettings {
  readonly baseUrl: URL;
  /** What messages call the other side. */
  readonly peer: string;
  readonly auth: AuthSettings;
  /** Where tokens are asked for when the settings do not say: a path of the base address. */
  readonly tokenPath?: string;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly retryPolicy: RetryPolicy;
  readonly onSecret: (secret: string) => void;
}

/** A client that logs in as configured. Rejects with `source-config` when a certificate cannot be read. */
export async function openHttpClient(settings: ConnectionSettings): Promise<HttpClient> {
  const { auth, baseUrl, peer } = settings;
  const tls = auth.kind === 'mtls' ? await readCertificateFiles(auth.certificate) : undefined;
  const connection = { connections: settings.connections, connectTimeoutMs: settings.connectTimeoutMs };
  let agent;
  try {
    agent = createAgent({ isHttps: baseUrl.protocol === 'https:', ...connection, ...(tls && { tls }) });
  } catch (error) {
    throw new SourceError('tls-failed', `The client certificate cannot be used: ${(error as Error).message}.`);
  }
  const authorizer = authorizerOf(settings);
  return createHttpClient({ baseUrl, peer, authorizer, agent, requestTimeoutMs: settings.requestTimeoutMs });
}

function authorizerOf(settings: ConnectionSettings): Authorizer {
  const { auth, peer } = settings;
  switch (auth.kind) {
    case 'none':
      return fixedAuthorizer({});
    case 'basic':
      return fixedAuthorizer(basicHeaders(auth.user, auth.password));
    case 'apiKey':
      return fixedAuthorizer({ [auth.header]: auth.token });
    case 'mtls':
      return fixedAuthorizer(auth.login ? basicHeaders(auth.login.user, auth.login.password) : {});
    case 'oauth2':
      return oauthAuthorizer(auth.oauth, tokenPoster(settings, auth.tokenUrl), peer, settings.onSecret);
  }
}

/** The token endpoint is called without login, over connections of its own: it may be another host. */
function tokenPoster(settings: ConnectionSettings, tokenUrl: string | undefined): PostForm {
  const url = tokenAddress(settings, tokenUrl);
  const client = createHttpClient({
    baseUrl: url,
    peer: settings.peer,
    authorizer: fixedAuthorizer({}),
    agent: createAgent({
      isHttps: url.protocol === 'https:',
      connections: 1,
      connectTimeoutMs: settings.connectTimeoutMs,
    }),
    requestTimeoutMs: settings.requestTimeoutMs,
  });
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' };
  return (form) =>
    withRetries(
      async () => {
        const answer = await client.send({ method: 'POST', url, headers, body: form.toString() });
        if ([429, 502, 503, 504].includes(answer.status)) throw busy(settings.peer, answer);
        return answer;
      },
      { policy: settings.retryPolicy, idempotent: true },
    ).finally(() => client.close());
}

function busy(peer: string, { status, headers }: HttpAnswer): TransientFailure {
  const wait = retryAfterMs(headers.get('retry-after'), Date.now());
  return new TransientFailure('source-failed', `${peer} gives no tokens at the moment (status ${status}).`, {
    mayHaveRun: false,
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

/** The client's secret is as precious as a password: it travels encrypted, but to this machine itself. */
function tokenAddress({ baseUrl, tokenPath = '' }: ConnectionSettings, tokenUrl: string | undefined): URL {
  const remedy = 'Correct auth.tokenUrl in the data sources file.';
  let url: URL;
  try {
    url = new URL(tokenUrl ?? tokenPath, baseUrl);
  } catch {
    throw new SourceError('source-config', `auth.tokenUrl is no address: ${tokenUrl}.`, { remedy });
  }
  if (url.protocol === 'https:' || isLocalHost(url)) return url;
  throw new SourceError('source-config', 'auth.tokenUrl must be an address that starts with https://.', { remedy });
}

async function readCertificateFiles(files: CertificateFiles) {
  const { cert, key, ca, passphrase } = files;
  const [certText, keyText, caText] = await Promise.all(
    [cert, key, ca].map((path) => (path === undefined ? undefined : readPem(path))),
  );
  return {
    ...(certText !== undefined && { cert: certText }),
    ...(keyText !== undefined && { key: keyText }),
    ...(caText !== undefined && { ca: caText }),
    ...(passphrase !== undefined && { passphrase }),
  };
}

async function readPem(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new SourceError('source-config', `${path} cannot be read: ${error.message}.`, {
      file: path,
      remedy: 'Correct cert, key or ca of auth in the data sources file.',
    });
  });
  if (text.includes('-----BEGIN ')) return text;
  throw new SourceError('source-config', `${path} is no PEM file.`, {
    file: path,
    remedy: 'Convert it to PEM, for example with openssl.',
  });
}
