import type { AuthorizationAnswer } from '../../../../protocol/requests/client-requests.ts';
import type { AuthorizationPage } from '../../connectors/http/browser-login.ts';
import { signInStateOf, signInToSource } from '../../connectors/sign-in.ts';
import { SourceError } from '../../connectors/source-error.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { type ProjectContext, type SourcesFile, connectorContext } from '../../project/open-project.ts';

export interface SignInOptions {
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
