import type { AuthorizationAnswer } from '../../../../protocol/requests/client-requests.ts';
import type { ConnectorContext } from '../../connectors/connector-context.ts';
import type { AuthorizationPage, Authorize } from '../../connectors/http/browser-login.ts';
import { signIn as logIn, signInState } from '../../connectors/http/sign-in.ts';
import { SourceError } from '../../connectors/source-error.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { type ProjectContext, type SourcesFile, connectorContext } from '../../project/open-project.ts';
import { usesBrowserLogin } from '../../project/value-uses.ts';

interface SignInOptions {
  /** Logs in even if a login exists. */
  readonly again: boolean;
  /** Undefined without a browser. */
  readonly authorize: (page: AuthorizationPage) => Promise<AuthorizationAnswer | null> | undefined;
}

/** Logs a user in to a source; resolves to true when logged in or not needed. Rejects with a `SourceError`. */
export async function signIn(
  sourcesFile: SourcesFile,
  source: DataSource,
  projectContext: ProjectContext,
  { again, authorize }: SignInOptions,
): Promise<boolean> {
  const context = await connectorContext(sourcesFile, projectContext);
  const state = await signInStateOf(source, context);
  if (state === 'not needed' || (state === 'done' && !again)) return true;
  return signInToSource(source, context, async (page) => {
    const answer = await authorize(page);
    if (!answer) return undefined;
    const { code, error, redirectUri } = answer;
    if (code !== undefined) return { code, redirectUri };
    throw new SourceError('authentication-failed', `The login to ${source.name.value} was refused: ${error ?? ''}.`, {
      remedy: 'Check clientId and scope of auth, and that the address to come back to is registered with the client.',
    });
  });
}

/** Whether a source uses a browser login, and whether there is one. Rejects for invalid settings. */
async function signInStateOf(source: DataSource, context: ConnectorContext): Promise<'not needed' | 'needed' | 'done'> {
  const load = sourceKind(source.kind?.value)?.browserConnection;
  if (!load || !usesBrowserLogin(source)) return 'not needed';
  const connection = await load();
  return signInState(await connection(source, context));
}

/** Logs in to a source in the browser; resolves to false when cancelled. Rejects with a `SourceError`. */
async function signInToSource(source: DataSource, context: ConnectorContext, authorize: Authorize): Promise<boolean> {
  const connection = await sourceKind(source.kind?.value)?.browserConnection?.();
  return connection ? logIn(await connection(source, context), authorize) : false;
}
