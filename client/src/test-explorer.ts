import { Disposable, workspace } from 'vscode';
import type { GraphLanguage } from './language-client.ts';
import { openTestController, testFiles } from './test-controller.ts';

/**
 * Tests with given rows in VS Code's Test Explorer, whose view VS Code shows as soon as there is a controller: it is
 * created for a workspace that has tests. Off in untrusted workspaces.
 */
export function createTestExplorer(language: GraphLanguage, onError: (error: unknown) => void): Disposable {
  let open: Disposable | undefined;
  let isDisposed = false;
  const start = async (): Promise<void> => {
    if (open || !workspace.isTrusted) return;
    // The search is a process of its own, beside what the user opened first.
    const isStarted = language.start().then(
      () => true,
      // The activation reports why.
      () => false,
    );
    if (!(await isStarted)) return;
    const [found] = await workspace.findFiles(testFiles, undefined, 1);
    if (found && !isDisposed) open ??= openTestController(language, onError);
  };
  const startOrReport = (): void => void start().catch(onError);
  startOrReport();
  const created = workspace.createFileSystemWatcher(testFiles, false, true, true);
  const starts = [
    workspace.onDidGrantWorkspaceTrust(startOrReport),
    workspace.onDidChangeWorkspaceFolders(startOrReport),
    created.onDidCreate(startOrReport),
  ];
  return new Disposable(() => {
    isDisposed = true;
    Disposable.from(created, ...starts).dispose();
    open?.dispose();
  });
}
