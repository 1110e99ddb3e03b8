import { type Disposable, commands, workspace } from 'vscode';
import { createDebouncer } from '../../protocol/debouncer.ts';
import type { SourceAbility } from '../../protocol/source-kinds.ts';
import type { GraphLanguage } from './language-client.ts';

/** Changes of files come in groups. */
const debounceMs = 300;

const abilities: Readonly<Record<SourceAbility, true>> = { explore: true, signIn: true, writeRecords: true };

/**
 * Sets a context key for each ability, such as `entityGraph.sources.writeRecords`: whether a data source of the open
 * folders has it. The palette lists the commands for it only then.
 */
export function followSourceAbilities(language: GraphLanguage, onError: (error: unknown) => void): Disposable {
  async function update(): Promise<void> {
    const { sources } = await language.request('entityGraph/allDataSources', {});
    for (const ability of Object.keys(abilities) as SourceAbility[]) {
      const isThere = sources.some((source) => source.abilities.includes(ability));
      await commands.executeCommand('setContext', `entityGraph.sources.${ability}`, isThere);
    }
  }

  const updating = createDebouncer(debounceMs, () => void update().catch(onError));
  const files = workspace.createFileSystemWatcher('**/entity-sources.{yaml,yml,json}');
  const refresh = (): void => updating.schedule();
  refresh();
  const subscriptions = [
    files,
    files.onDidCreate(refresh),
    files.onDidChange(refresh),
    files.onDidDelete(refresh),
    workspace.onDidChangeWorkspaceFolders(refresh),
  ];
  return {
    dispose() {
      updating.cancel();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
