import { type CommandId, commandIds } from '../command-ids.ts';
import { addDataSource } from './add-data-source.ts';
import { addToGraph } from './add-to-graph.ts';
import { applyProposal, refuseProposal } from './answer-proposal.ts';
import type { Command } from './command.ts';
import { createRecord } from './create-record.ts';
import { updateRecord } from './update-record.ts';
import { deleteRecord } from './delete-record.ts';
import { attachments } from './attachments.ts';
import { stageRows } from './stage-rows.ts';
import { deleteRecords, updateRecords } from './write-records.ts';
import { callEndpoint } from './call-endpoint.ts';
import { compareWith, showComparison, stopComparing } from './compare-with.ts';
import { copyGraph } from './copy-graph.ts';
import { deleteGraph } from './delete-graph.ts';
import { exportConfiguration } from './export-configuration.ts';
import { exportGraph } from './export-graph.ts';
import { findColumnUses } from './find-column-uses.ts';
import { findDataObject } from './find-data-object.ts';
import { forgetSecret } from './forget-secret.ts';
import { manageAllowedHosts } from './manage-allowed-hosts.ts';
import { importConfiguration } from './import-configuration.ts';
import { importAll } from './import-all.ts';
import { cancelImport, fetchGraph, importEverything, importGraph, importWithKeptRows } from './import.ts';
import { importSample } from './import-sample.ts';
import { newEntityFromObject } from './new-entity-from-object.ts';
import { newEntity } from './new-entity.ts';
import { openApiExplorer } from './open-api-explorer.ts';
import { openCanvas, openCanvasToSide } from './open-canvas.ts';
import { openEntities } from './open-entities.ts';
import { suggestRules } from './suggest-rules.ts';
import { createTest } from './create-test.ts';
import { openEventGraph, openSqlConsole, runSql } from './open-event-graph.ts';
import { openSample } from './open-sample.ts';
import { openSource } from './open-source.ts';
import { openText } from './open-text.ts';
import { openWalkthrough } from './open-walkthrough.ts';
import { processMapOfFile, showDraftChoices } from './process-map-of-file.ts';
import { previewRows } from './preview-rows.ts';
import { copyQuery, openQueryAsFile } from './query-document.ts';
import { refreshCatalog } from './refresh-catalog.ts';
import { refreshSource, refreshSources } from './refresh-source.ts';
import { refreshEntities } from './refresh-entities.ts';
import { reopenAsText } from './reopen-as-text.ts';
import { resetGraph } from './reset-graph.ts';
import { setSecret } from './set-secret.ts';
import { showLog } from './show-log.ts';
import { showObjectDetails } from './show-object-details.ts';
import { showPlan } from './show-plan.ts';
import { showQuery } from './show-query.ts';
import { diagnoseSource, testConnection } from './test-connection.ts';
import { signIn } from './sign-in.ts';
import { testQuery } from './test-query.ts';

/** What each command of `package.json` does. */
export const commandTable: Readonly<Record<CommandId, Command>> = {
  [commandIds.testQuery]: testQuery,
  [commandIds.showQuery]: showQuery,
  [commandIds.showPlan]: showPlan,
  [commandIds.compareWith]: compareWith,
  [commandIds.showComparison]: showComparison,
  [commandIds.stopComparing]: stopComparing,
  [commandIds.applyProposal]: applyProposal,
  [commandIds.refuseProposal]: refuseProposal,
  [commandIds.import]: importGraph,
  [commandIds.importEverything]: importEverything,
  [commandIds.importSample]: importSample,
  [commandIds.importWithKeptRows]: importWithKeptRows,
  [commandIds.fetchGraph]: fetchGraph,
  [commandIds.exportGraph]: exportGraph,
  [commandIds.openEntities]: openEntities,
  [commandIds.importAll]: importAll,
  [commandIds.cancelImport]: cancelImport,
  [commandIds.openCanvas]: openCanvas,
  [commandIds.openCanvasToSide]: openCanvasToSide,
  [commandIds.reopenAsText]: reopenAsText,
  [commandIds.openText]: openText,
  [commandIds.newEntity]: newEntity,
  [commandIds.processMapOfFile]: processMapOfFile,
  [commandIds.showDraftChoices]: showDraftChoices,
  [commandIds.resetGraph]: resetGraph,
  [commandIds.copyGraph]: copyGraph,
  [commandIds.deleteGraph]: deleteGraph,
  [commandIds.exportConfiguration]: exportConfiguration,
  [commandIds.importConfiguration]: importConfiguration,
  [commandIds.refreshEntities]: refreshEntities,
  [commandIds.refreshSource]: refreshSource,
  [commandIds.refreshSources]: refreshSources,
  [commandIds.openSource]: openSource,
  [commandIds.addDataSource]: addDataSource,
  [commandIds.testConnection]: testConnection,
  [commandIds.diagnoseSource]: diagnoseSource,
  [commandIds.previewRows]: previewRows,
  [commandIds.showObjectDetails]: showObjectDetails,
  [commandIds.findColumnUses]: findColumnUses,
  [commandIds.addToGraph]: addToGraph,
  [commandIds.findDataObject]: findDataObject,
  [commandIds.newEntityFromObject]: newEntityFromObject,
  [commandIds.refreshCatalog]: refreshCatalog,
  [commandIds.setSecret]: setSecret,
  [commandIds.forgetSecret]: forgetSecret,
  [commandIds.manageAllowedHosts]: manageAllowedHosts,
  [commandIds.signIn]: signIn,
  [commandIds.openEventGraph]: openEventGraph,
  [commandIds.openSqlConsole]: openSqlConsole,
  [commandIds.suggestRules]: suggestRules,
  [commandIds.createTest]: createTest,
  [commandIds.runSql]: runSql,
  [commandIds.copyQuery]: copyQuery,
  [commandIds.openQueryAsFile]: openQueryAsFile,
  [commandIds.openSample]: openSample,
  [commandIds.openWalkthrough]: openWalkthrough,
  [commandIds.createRecord]: createRecord,
  [commandIds.updateRecord]: updateRecord,
  [commandIds.deleteRecord]: deleteRecord,
  [commandIds.updateRecords]: updateRecords,
  [commandIds.deleteRecords]: deleteRecords,
  [commandIds.attachments]: attachments,
  [commandIds.stageRows]: stageRows,
  [commandIds.callEndpoint]: callEndpoint,
  [commandIds.openApiExplorer]: openApiExplorer,
  [commandIds.showLog]: showLog,
};
