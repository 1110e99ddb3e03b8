import type { LogOutputChannel, Uri } from 'vscode';
import type { ApiExplorer } from '../api-explorer.ts';
import type { EditWriter } from '../apply-edits.ts';
import type { Comparisons } from '../comparisons.ts';
import type { ConnectionSecrets } from '../connection-secrets.ts';
import type { DataSourcesView } from '../data-sources-view.ts';
import type { DiagnosisPanel } from '../diagnosis-panel.ts';
import type { DraftChoices } from '../draft-choices.ts';
import type { EntitiesPanel } from '../entities-panel.ts';
import type { EntitiesView } from '../entities-view.ts';
import type { EntityList } from '../entity-list.ts';
import type { EventGraphPanels } from '../event-graph-panel.ts';
import type { GraphLanguage } from '../language-client.ts';
import type { PromptBatches } from '../prompt-batches.ts';
import type { QueryDocuments } from '../query-documents.ts';
import type { ProposedEdits } from '../proposed-edits.ts';
import type { ResultsPanel } from '../results-panel.ts';
import type { ImportPages } from '../import-pages.ts';
import type { RunningImports } from '../running-imports.ts';
import type { SecretStore } from '../secret-store.ts';
import type { SqlConsole } from '../sql-console.ts';

/** Services available to commands. */
export interface ClientParts {
  readonly extensionUri: Uri;
  /** `publisher.name` */
  readonly extensionId: string;
  readonly language: GraphLanguage;
  readonly results: ResultsPanel;
  readonly queries: QueryDocuments;
  readonly secrets: ConnectionSecrets;
  readonly store: SecretStore;
  readonly prompts: PromptBatches;
  readonly writer: EditWriter;
  readonly imports: RunningImports;
  readonly importPages: ImportPages;
  readonly comparisons: Comparisons;
  readonly proposedEdits: ProposedEdits;
  readonly entities: EntityList;
  readonly entitiesView: EntitiesView;
  readonly entitiesPanel: EntitiesPanel;
  readonly dataSources: DataSourcesView;
  readonly diagnosis: DiagnosisPanel;
  readonly eventGraphs: EventGraphPanels;
  readonly drafts: DraftChoices;
  readonly sqlConsole: SqlConsole;
  readonly explorer: ApiExplorer;
  readonly log: LogOutputChannel;
}

/**
 * Resolves to the result of `executeCommand`, which most commands do not have.
 * @param args from the caller: menus pass the file's URI, others may pass nothing.
 */
export type Command = (parts: ClientParts, args: readonly unknown[]) => Promise<unknown>;
