import type { DataSource } from '../model/data-sources.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { Authorize } from './http/browser-login.ts';
import type { ConnectionSettings } from './http/client-settings.ts';
import { signIn, signInState } from './http/sign-in.ts';

/** How kinds of sources are reached that users log in to in the browser. Modules load on first use. */
const connections: Readonly<
  Record<string, (source: DataSource, context: ConnectorContext) => Promise<ConnectionSettings>>
> = {
  async servicenow(source, context) {
    const { serviceNowConnection } = await import('./servicenow/connection.ts');
    return (await serviceNowConnection(source, context)).connection;
  },
  async rest(source, context) {
    const { restConnection } = await import('./rest/connection.ts');
    return (await restConnection(source, context)).connection;
  },
};

/** Whether a source wants a login in the browser, and whether there is one. Rejects when its settings cannot be used. */
export async function signInStateOf(
  source: DataSource,
  context: ConnectorContext,
): Promise<'not needed' | 'needed' | 'done'> {
  const connection = connections[source.kind?.value ?? ''];
  if (!connection || !wantsBrowser(source)) return 'not needed';
  return signInState(await connection(source, context));
}

/** Logs in to a source in the browser; resolves to false when the user gave up. Rejects with a `SourceError`. */
export async function signInToSource(
  source: DataSource,
  context: ConnectorContext,
  authorize: Authorize,
): Promise<boolean> {
  const connection = connections[source.kind?.value ?? ''];
  return connection ? signIn(await connection(source, context), authorize) : false;
}

/** Told from the text alone, as most sources need no secret to be looked up for this. */
function wantsBrowser({ settings }: DataSource): boolean {
  const auth = settings['auth'] as { readonly grant?: unknown } | null | undefined;
  return typeof auth === 'object' && auth?.grant === 'authorization_code';
}
