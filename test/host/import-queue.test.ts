import assert from 'node:assert/strict';
import { ConfigurationTarget, Uri, workspace } from 'vscode';
import type { GraphLanguage } from '../../client/src/language-client.ts';
import { createRunningImports } from '../../client/src/running-imports.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('import queue', () => {
  const settings = workspace.getConfiguration('entityGraph');
  const set = (atOnce: number | undefined): Thenable<void> =>
    settings.update('import.atOnce', atOnce, ConfigurationTarget.Workspace);
  after(() => set(undefined));

  it('starts waiting imports as soon as the setting allows more in parallel', async () => {
    await set(1);
    const started: string[] = [];
    const finish: (() => void)[] = [];
    // An import that runs until the test ends it.
    const request = (_: string, { uri }: { uri: string }): Promise<unknown> => {
      started.push(uri.slice(-1));
      return new Promise<void>((resolve) => finish.push(resolve));
    };
    const language = { request, onNotification: () => ({ dispose: () => undefined }) } as unknown as GraphLanguage;
    const imports = createRunningImports(language);
    const runs = ['a', 'b', 'c'].map((name) => imports.run(Uri.file(`/w/${name}`)));
    await waitUntil('the first one runs', async () => started.length > 0 || undefined);
    assert.deepEqual(started, ['a']);
    await set(3);
    await waitUntil('the others run too', async () => started.length === 3 || undefined);
    assert.deepEqual(started, ['a', 'b', 'c']);
    for (const end of finish) end();
    await Promise.all(runs);
    imports.dispose();
  });
});
