import { type QuickPickItem, QuickPickItemKind, Range, Uri, commands, l10n, window, workspace } from 'vscode';
import type { UnreadableView } from '../../../protocol/requests/lifecycle-requests.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import { objectFacts } from '../object-facts.ts';
import { sentence } from '../../../protocol/sentence.ts';
import type { Command } from './command.ts';

/** A picker item and its action. */
interface Choice extends QuickPickItem {
  readonly choose?: () => Thenable<unknown>;
}

/**
 * Finds a data object by name in all data sources, and reveals it in the view. Sources that could not be searched are
 * listed below the results.
 */
export const findDataObject: Command = async ({ language, dataSources }) => {
  const pick = window.createQuickPick<Choice>();
  pick.title = l10n.t('Find Data Object');
  pick.placeholder = l10n.t('Name of a table, view, file or endpoint');
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    void chosen?.choose?.();
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
  const found: Choice[] = [];
  const missed: Choice[] = [];
  const show = (): void => {
    pick.items = missed.length === 0 ? found : [...found, notSearched(), ...missed];
  };
  const { sources, unreadable } = await language.request('entityGraph/allDataSources', {});
  missed.push(...unreadable.map(unreadableChoice));
  show();
  // Sources respond one after another; results are shown as they arrive.
  await Promise.all(
    sources.map(async (source) => {
      const outcome = await language.request('entityGraph/sourceObjects', { uri: source.uri, dataSource: source.name });
      if (outcome.ok) {
        const objects = outcome.value.objects.map((object) => ({
          label: object.name,
          description: [source.name, ...objectFacts(object).slice(0, 3)].join(' · '),
          ...(object.comment === undefined ? {} : { detail: object.comment }),
          choose: () => dataSources.reveal({ kind: 'object', source, object }),
        }));
        found.push(...objects);
      } else {
        const toSource = () => dataSources.reveal({ kind: 'source', source, missingSecrets: [] });
        missed.push(missedChoice(source.name, outcome.error, toSource));
      }
      show();
    }),
  );
  pick.busy = false;
};

function notSearched(): Choice {
  return { label: l10n.t('Not searched'), kind: QuickPickItemKind.Separator };
}

/** A source that could not be searched is shown for any input, because it may contain the object. */
function missedChoice(name: string, error: Failure, choose: () => Thenable<unknown>): Choice {
  const isRead = error.code !== 'catalog-unknown';
  const reason = isRead
    ? [error.shortMessage ?? error.message, error.remedy]
        .filter((part) => part !== undefined)
        .map(sentence)
        .join(' ')
    : l10n.t('Its data objects have not been read yet: open it in Data Sources to read them.');
  return { label: `$(${isRead ? 'warning' : 'info'}) ${name}`, description: reason, alwaysShow: true, choose };
}

/** A sources file, or the list of all of them. */
function unreadableChoice({ uri, error }: UnreadableView): Choice {
  const place = Uri.parse(uri);
  const { line, character } = error.range?.start ?? { line: 0, character: 0 };
  const selection = new Range(line, character, line, character);
  return missedChoice(workspace.asRelativePath(place), error, () =>
    commands.executeCommand('vscode.open', place, { selection }),
  );
}
