import { type ExtensionContext, commands, l10n, window } from 'vscode';
import { createActiveGraphStatus } from './active-graph-status.ts';
import { offerAgentEdits } from './agent-edits.ts';
import { offerAgentTools } from './agent-tools.ts';
import { createApiExplorer } from './api-explorer.ts';
import { createEditWriter } from './apply-edits.ts';
import { createBrowserLogins } from './browser-logins.ts';
import { createCanvasEditor } from './canvas-editor.ts';
import { canvasViewType } from './command-ids.ts';
import { commandTable } from './commands/index.ts';
import { createComparisons } from './comparisons.ts';
import { createConnectionSecrets } from './connection-secrets.ts';
import { createDataSourcesView } from './data-sources-view.ts';
import { createDiagnosisPanel } from './diagnosis-panel.ts';
import { createDraftChoices } from './draft-choices.ts';
import { createEntitiesPanel } from './entities-panel.ts';
import { createEntitiesView } from './entities-view.ts';
import { createEntityList } from './entity-list.ts';
import { createEventGraphPanels } from './event-graph-panel.ts';
import { createImportStatusBar } from './import-status-bar.ts';
import { type GraphLanguage, createGraphLanguage } from './language-client.ts';
import { createLog } from './log.ts';
import { createPromptBatches } from './prompt-batches.ts';
import { createProposedEdits } from './proposed-edits.ts';
import { createQueryDocuments } from './query-documents.ts';
import { createResultsPanel } from './results-panel.ts';
import { createImportPages } from './import-pages.ts';
import { createRememberedEntities } from './remembered-entities.ts';
import { createRunningImports } from './running-imports.ts';
import { createSecretStore } from './secret-store.ts';
import { createSqlConsole } from './sql-console.ts';
import { followSourceAbilities } from './source-abilities.ts';
import { createTestExplorer } from './test-explorer.ts';
import { createUsePermissions } from './use-permissions.ts';
import { createErrorReporter, showErrorMessage } from './messages.ts';

/** Activates the extension; disposes everything with its context. */
// eslint-disable-next-line max-lines-per-function -- Wiring only: a line for each part, in the order in which they need each other.
export function activate(context: ExtensionContext): void {
  const log = createLog();
  const onError = (error: unknown): void => log.error(error instanceof Error ? error : String(error));
  const tellError = createErrorReporter(log);
  const prompts = createPromptBatches();
  // Source control has menus for all files alike: their command waits until an entity graph was opened.
  void commands.executeCommand('setContext', 'entityGraph.isActive', true);
  const store = createSecretStore({ secrets: context.secrets, state: context.globalState }, () => {
    // Retries reads that failed for lack of a secret.
    void language.notify('entityGraph/secretsChanged', {}).catch(onError);
    agentTools.secretsChanged().catch(onError);
  });
  const secrets = createConnectionSecrets(store, prompts);
  const permissions = createUsePermissions(store, prompts);
  const logins = createBrowserLogins(context, prompts);
  const language: GraphLanguage = createGraphLanguage(context, log, {
    'entityGraph/secret': (params, signal) => secrets.read(params, signal),
    'entityGraph/allowSecret': (params, signal) => permissions.allow(params, signal),
    'entityGraph/token': (params) => logins.readToken(params),
    'entityGraph/keepToken': (params) => logins.keepToken(params),
    'entityGraph/authorize': (params) => logins.authorize(params),
  });
  const agentTools = offerAgentTools(context, language, store);
  const results = createResultsPanel(context.extensionUri, language, tellError);
  const queries = createQueryDocuments();
  const writer = createEditWriter();
  const imports = createRunningImports(language);
  const importPages = createImportPages(language, imports, context.workspaceState, onError);
  const { version } = context.extension.packageJSON as { readonly version: string };
  const remembered = createRememberedEntities(context.storageUri?.fsPath, version);
  const entities = createEntityList(language, imports, remembered, onError);
  const entitiesView = createEntitiesView(entities);
  const entitiesPanel = createEntitiesPanel(
    context.extensionUri,
    language,
    entities,
    imports,
    onError,
    context.globalState,
  );
  const activeGraph = createActiveGraphStatus(language, entities, onError);
  const dataSources = createDataSourcesView(language, secrets, onError);
  const comparisons = createComparisons(language, onError);
  const proposedEdits = createProposedEdits(results);
  const diagnosis = createDiagnosisPanel(context.extensionUri);
  const explorer = createApiExplorer(context.extensionUri, language, writer, tellError);
  const sqlConsole = createSqlConsole(language, results);
  const drafts = createDraftChoices(language, context.workspaceState);
  const eventGraphs = createEventGraphPanels(
    context.extensionUri,
    language,
    { imports, sqlConsole, results, drafts, writer },
    onError,
  );
  const parts = {
    eventGraphs,
    drafts,
    sqlConsole,
    extensionUri: context.extensionUri,
    extensionId: context.extension.id,
    language,
    results,
    queries,
    secrets,
    store,
    prompts,
    writer,
    imports,
    importPages,
    comparisons,
    proposedEdits,
    entities,
    entitiesView,
    entitiesPanel,
    dataSources,
    diagnosis,
    explorer,
    log,
  };

  context.subscriptions.push(
    log,
    logins,
    language,
    results,
    queries,
    imports,
    importPages,
    comparisons,
    proposedEdits,
    imports.onDidChange(() => commands.executeCommand('setContext', 'entityGraph.importing', imports.all().size > 0)),
    entities,
    entitiesView,
    entitiesPanel,
    eventGraphs,
    sqlConsole,
    activeGraph,
    createImportStatusBar(activeGraph, imports),
    dataSources,
    diagnosis,
    explorer,
    followSourceAbilities(language, onError),
    createTestExplorer(language, onError),
    agentTools,
    offerAgentEdits(context.extensionUri, language, proposedEdits),
    window.registerCustomEditorProvider(
      canvasViewType,
      createCanvasEditor(
        context.extensionUri,
        { language, queries, writer, imports, importPages, comparisons, state: context.globalState },
        onError,
      ),
      { supportsMultipleEditorsPerDocument: true },
    ),
    ...Object.entries(commandTable).map(([id, command]) =>
      commands.registerCommand(id, (...args: unknown[]) => command(parts, args)),
    ),
  );
  language.start().catch(async (error: unknown) => {
    onError(error);
    const message = l10n.t('The language server of Entity Graph did not start.');
    const chosen = await showErrorMessage(message, l10n.t('Show Log'));
    if (chosen) log.show();
  });
}
