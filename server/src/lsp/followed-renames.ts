import { basename } from 'node:path';
import {
  type Connection,
  type FileRename,
  MessageType,
  ShowMessageNotification,
  type ShowMessageParams,
} from 'vscode-languageserver/node';
import type { ProjectContext } from '../project/open-project.ts';
import { pathOfUri } from './file-uri.ts';

/** Moves the state of imports along with renamed files. */
export interface FollowedRenames {
  renamed(files: readonly FileRename[]): void;
  /** Resolves when the state of all renamed graphs was moved. Never rejects. */
  followed(): Promise<void>;
}

interface FollowedRenamesDependencies {
  readonly connection: Pick<Connection, 'sendNotification'>;
  readonly project: ProjectContext;
  readonly background: (work: () => Promise<void>) => void;
}

export function createFollowedRenames(dependencies: FollowedRenamesDependencies): FollowedRenames {
  const { connection, project, background } = dependencies;
  let renames = Promise.resolve();

  async function follow(files: readonly FileRename[]): Promise<void> {
    const { followRename } = await import('../operations/graph-files/move-state.ts');
    for (const { oldUri, newUri } of files) {
      const [from, to] = [pathOfUri(oldUri), pathOfUri(newUri)];
      const left = from === undefined || to === undefined ? [] : await followRename(from, to, project);
      for (const { file, failure } of left) {
        const message = `The import of ${basename(file)} could not go along with its new name. ${failure.message} ${failure.remedy ?? ''}`;
        const params: ShowMessageParams = { type: MessageType.Error, message: message.trimEnd() };
        await connection.sendNotification(ShowMessageNotification.type, params);
      }
    }
  }

  return {
    renamed(files) {
      const next = (): Promise<void> => follow(files);
      // Sequential, because a file may be renamed again at once.
      background(() => (renames = renames.then(next, next)));
    },
    followed: () => renames.catch(() => undefined),
  };
}
