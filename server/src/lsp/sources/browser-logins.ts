import type { ClientRequests } from '../../../../protocol/requests/client-requests.ts';
import type { TokenStore } from '../../connectors/connector-context.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { ProjectContext, SourcesFile } from '../../project/open-project.ts';

type Asked = 'entityGraph/token' | 'entityGraph/keepToken' | 'entityGraph/authorize';

/** Sends a request to our client; undefined for other clients, which have neither browser nor secret storage. */
export type ClientRequest = <M extends Asked>(
  method: M,
  params: ClientRequests[M]['params'],
) => Promise<ClientRequests[M]['result']> | undefined;

/** Browser logins, whose tokens the client stores. */
export interface BrowserLogins {
  /**
   * Logs in if a source uses a browser login and has no token, or on request; returns whether it succeeded or was not
   * needed.
   */
  signIn(file: SourcesFile, source: DataSource, options: { readonly again: boolean }): Promise<boolean>;
}

export function clientTokens(ask: ClientRequest): TokenStore {
  return {
    read: async (name) => (await ask('entityGraph/token', { name }))?.value ?? undefined,
    async write(name, value) {
      await ask('entityGraph/keepToken', { name, value: value ?? null });
    },
  };
}

export function createBrowserLogins(ask: ClientRequest, project: ProjectContext): BrowserLogins {
  return {
    async signIn(file, source, { again }) {
      const { signIn } = await import('../../operations/sources/sign-in.ts');
      return signIn(file, source, project, {
        again,
        authorize: (page) => ask('entityGraph/authorize', { ...page, dataSource: source.name.value }),
      });
    },
  };
}
