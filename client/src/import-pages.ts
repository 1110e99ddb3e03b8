import { type Disposable, EventEmitter, type Memento, type WebviewPanel } from 'vscode';
import type { ImportNews, LastImport } from '../../protocol/import-page.ts';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import type { GraphLanguage } from './language-client.ts';
import type { Screen } from './notify-when-hidden.ts';
import type { RunningImports } from './running-imports.ts';

/** The *Import* pages of the open canvases, and how the last import of each graph ended. */
export interface ImportPages extends Disposable {
  /** Keeps a page up to date until it is disposed. @param uri of the graph */
  open(uri: string, panel: WebviewPanel, send: (news: ImportNews) => void): ImportPage;
  /** The pages of a graph that are shown, as one. */
  screen(uri: string): Screen;
  /** Stores the outcome of an import. */
  ended(uri: string, outcome: ImportOutcome): void;
}

export interface ImportPage extends Disposable {
  setShown(isShown: boolean): void;
}

const keyOf = (uri: string): string => `lastImport:${uri}`;

export function createImportPages(
  language: GraphLanguage,
  imports: RunningImports,
  state: Pick<Memento, 'get' | 'update'>,
  onError: (error: unknown) => void,
): ImportPages {
  const visibility = new EventEmitter<void>();
  const ends = new EventEmitter<string>();
  const shown = new Map<WebviewPanel, string>();

  async function newsOf(uri: string): Promise<ImportNews> {
    const status = await language.request('entityGraph/status', { uri });
    const running = imports.of(uri);
    const last = state.get<LastImport>(keyOf(uri));
    return { status, running, last };
  }

  return {
    open(uri, panel, send) {
      let asked = 0;
      /** Answers overtake each other only in appearance: an older one is dropped. */
      const tell = (): void => {
        if (!shown.has(panel)) return;
        const mine = ++asked;
        newsOf(uri).then((news) => {
          if (mine === asked) send(news);
        }, onError);
      };
      const subscriptions = [
        imports.onDidChange(tell),
        ends.event((ended) => ended === uri && tell()),
        panel.onDidChangeViewState(() => visibility.fire()),
      ];
      return {
        setShown(isShown) {
          if (isShown) shown.set(panel, uri);
          else shown.delete(panel);
          visibility.fire();
          tell();
        },
        dispose() {
          for (const subscription of subscriptions) subscription.dispose();
          if (shown.delete(panel)) visibility.fire();
        },
      };
    },
    screen: (uri) => ({
      get visible() {
        return [...shown].some(([panel, of]) => of === uri && panel.visible);
      },
      onDidChangeVisibility: (listener) => visibility.event(listener),
    }),
    ended(uri, outcome) {
      const last: LastImport = { endedAt: new Date().toISOString(), outcome };
      void Promise.resolve(state.update(keyOf(uri), last)).catch(onError);
      ends.fire(uri);
    },
    dispose() {
      visibility.dispose();
      ends.dispose();
    },
  };
}
