import assert from 'node:assert/strict';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  FileChangeType,
  FileSystemWatcher,
  RegistrationParams,
  UnregistrationParams,
} from 'vscode-languageserver-protocol/node';
import { globToRegExp } from '../../server/src/files/glob.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

/** A client that watches what it is asked to watch, and nothing else. */
export interface WatchingClient extends LspClient {
  /** Reports a change of a file or folder as soon as it is watched. */
  tell(path: string, type: FileChangeType): Promise<void>;
  isWatched(path: string): boolean;
}

export interface WatchingOptions {
  readonly folder: string;
  /** Whether it watches outside of the open folder, too. */
  readonly anywhere: boolean;
  readonly trusted?: boolean;
}

export async function startWatchingClient({ folder, anywhere, trusted }: WatchingOptions): Promise<WatchingClient> {
  const registered = new Map<string, readonly FileSystemWatcher[]>();

  const isWatched = (path: string, type?: FileChangeType): boolean =>
    [...registered.values()].flat().some(({ globPattern, kind }) => {
      if (kind !== undefined && type !== undefined && (kind & (1 << (type - 1))) === 0) return false;
      if (typeof globPattern === 'string') return fits(globPattern, relative(folder, path));
      assert.ok(anywhere, 'A relative pattern, for a client that knows none.');
      const { baseUri, pattern } = globPattern;
      return fits(pattern, relative(fileURLToPath(typeof baseUri === 'string' ? baseUri : baseUri.uri), path));
    });

  const didChangeWatchedFiles = { dynamicRegistration: true, relativePatternSupport: anywhere };
  const client = await startLspClient({
    folder,
    capabilities: { workspace: { didChangeWatchedFiles } },
    ...(trusted === undefined ? {} : { initializationOptions: { trusted } }),
    answers: {
      'client/registerCapability': ({ registrations }: RegistrationParams) => {
        for (const { id, registerOptions } of registrations) {
          registered.set(id, (registerOptions as { watchers: FileSystemWatcher[] }).watchers);
        }
        return null;
      },
      'client/unregisterCapability': ({ unregisterations }: UnregistrationParams) => {
        for (const { id } of unregisterations) registered.delete(id);
        return null;
      },
    },
  });
  return {
    ...client,
    isWatched,
    async tell(path, type) {
      await waitUntil(`${path} is watched`, async () => (isWatched(path, type) ? true : undefined));
      await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: pathToFileURL(path).href, type }],
      });
    },
  };
}

function fits(glob: string, path: string): boolean {
  return globToRegExp(glob).test(path.replaceAll(sep, '/'));
}
