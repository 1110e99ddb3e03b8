import type { WorkspaceFolder } from 'vscode-languageserver/node';
import { sep } from 'node:path';
import { pathOfUri } from './file-uri.ts';

/** The workspace folders of the client. */
export interface WorkspaceFolders {
  /** The outermost one that contains a file, where the search for sources stops: all of them are open. */
  of(path: string): string | undefined;
  all(): readonly string[];
  change(added: readonly WorkspaceFolder[], removed: readonly WorkspaceFolder[]): void;
}

export function createWorkspaceFolders(): WorkspaceFolders {
  const paths = new Set<string>();
  return {
    of(path) {
      const around = [...paths].filter((folder) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep));
      return around.sort((left, right) => left.length - right.length)[0];
    },
    all: () => [...paths],
    change(added, removed) {
      for (const { uri } of removed) withPath(uri, (path) => paths.delete(path));
      for (const { uri } of added) withPath(uri, (path) => paths.add(path));
    },
  };
}

function withPath(uri: string, use: (path: string) => void): void {
  const path = pathOfUri(uri);
  if (path !== undefined) use(path);
}
