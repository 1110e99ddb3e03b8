/** The commands as `package.json` declares them. */
export const commandIds = {
  testQuery: 'entityGraph.testQuery',
  showQuery: 'entityGraph.showQuery',
  showPlan: 'entityGraph.showPlan',
  compareWith: 'entityGraph.compareWith',
  showComparison: 'entityGraph.showComparison',
  stopComparing: 'entityGraph.stopComparing',
  applyProposal: 'entityGraph.applyProposal',
  refuseProposal: 'entityGraph.refuseProposal',
  import: 'entityGraph.import',
  importEverything: 'entityGraph.importEverything',
  importSample: 'entityGraph.importSample',
  importWithKeptRows: 'entityGraph.importWithKeptRows',
  fetchGraph: 'entityGraph.fetchGraph',
  exportGraph: 'entityGraph.exportGraph',
  openEntities: 'entityGraph.openEntities',
  importAll: 'entityGraph.importAll',
  cancelImport: 'entityGraph.cancelImport',
  openCanvas: 'entityGraph.openCanvas',
  openCanvasToSide: 'entityGraph.openCanvasToSide',
  reopenAsText: 'entityGraph.reopenAsText',
  openText: 'entityGraph.openText',
  newEntity: 'entityGraph.newEntity',
  processMapOfFile: 'entityGraph.processMapOfFile',
  showDraftChoices: 'entityGraph.showDraftChoices',
  resetGraph: 'entityGraph.reset',
  copyGraph: 'entityGraph.copyConfiguration',
  deleteGraph: 'entityGraph.delete',
  exportConfiguration: 'entityGraph.exportConfiguration',
  importConfiguration: 'entityGraph.importConfiguration',
  refreshEntities: 'entityGraph.refreshEntities',
  refreshSource: 'entityGraph.refreshSource',
  refreshSources: 'entityGraph.refreshSources',
  openSource: 'entityGraph.openSource',
  addDataSource: 'entityGraph.addDataSource',
  testConnection: 'entityGraph.testConnection',
  diagnoseSource: 'entityGraph.diagnoseSource',
  previewRows: 'entityGraph.previewRows',
  showObjectDetails: 'entityGraph.showObjectDetails',
  findColumnUses: 'entityGraph.findColumnUses',
  addToGraph: 'entityGraph.addToGraph',
  findDataObject: 'entityGraph.findDataObject',
  newEntityFromObject: 'entityGraph.newEntityFromObject',
  refreshCatalog: 'entityGraph.refreshCatalog',
  setSecret: 'entityGraph.setSecret',
  forgetSecret: 'entityGraph.forgetSecret',
  manageAllowedHosts: 'entityGraph.manageAllowedHosts',
  signIn: 'entityGraph.signIn',
  openEventGraph: 'entityGraph.openEventGraph',
  openSqlConsole: 'entityGraph.openSqlConsole',
  suggestRules: 'entityGraph.suggestRules',
  createTest: 'entityGraph.createTest',
  runSql: 'entityGraph.runSql',
  copyQuery: 'entityGraph.copyQuery',
  openQueryAsFile: 'entityGraph.openQueryAsFile',
  openSample: 'entityGraph.openSample',
  openWalkthrough: 'entityGraph.openWalkthrough',
  createRecord: 'entityGraph.createRecord',
  updateRecord: 'entityGraph.updateRecord',
  deleteRecord: 'entityGraph.deleteRecord',
  updateRecords: 'entityGraph.updateRecords',
  deleteRecords: 'entityGraph.deleteRecords',
  attachments: 'entityGraph.attachments',
  stageRows: 'entityGraph.stageRows',
  callEndpoint: 'entityGraph.callEndpoint',
  openApiExplorer: 'entityGraph.openApiExplorer',
  showLog: 'entityGraph.showLog',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** The view type of the canvas, as `package.json` declares it. */
export const canvasViewType = 'entityGraph.canvas';

/** The view type of the panel with query results. */
export const resultsViewType = 'entityGraph.results';

/** The view type of the diagnosis panel. */
export const diagnosisViewType = 'entityGraph.diagnosis';

/** The view type of the panel with an imported graph. */
export const eventGraphPanelType = 'entityGraph.eventGraph';

/** The view type of the table of all entity graphs. */
export const entitiesPanelType = 'entityGraph.entitiesTable';

/** The view with all entity graphs, as `package.json` declares it. */
export const entitiesViewId = 'entityGraph.entities';

/** The view with all data sources, as `package.json` declares it. */
export const dataSourcesViewId = 'entityGraph.dataSources';

/** The view type of the API explorer. */
export const apiExplorerType = 'entityGraph.apiExplorer';

/** An argument of the command *Import*: broken guards are accepted once. */
export const acceptingGuards = 'acceptingGuards';
