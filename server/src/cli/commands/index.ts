import type { Command } from '../command.ts';
import { activitiesCommand } from './activities.ts';
import { analyzeCommand } from './analyze.ts';
import { batchesCommand } from './batches.ts';
import { checkCommand } from './check.ts';
import { ciCommand } from './ci.ts';
import { completeCommand } from './complete.ts';
import { copyCommand } from './copy.ts';
import { deleteCommand } from './delete.ts';
import { describeCommand } from './describe.ts';
import { doctorCommand } from './doctor.ts';
import { diffCommand } from './diff.ts';
import { effectCommand } from './effect.ts';
import { explainCommand } from './explain.ts';
import { exportConfigCommand } from './export-config.ts';
import { entitiesCommand } from './entities.ts';
import { exportCommand } from './export.ts';
import { fetchCommand } from './fetch.ts';
import { findingsCommand } from './findings.ts';
import { importConfigCommand } from './import-config.ts';
import { importCommand } from './import.ts';
import { lineageCommand } from './lineage.ts';
import { mapCommand } from './map.ts';
import { mcpCommand } from './mcp.ts';
import { newCommand } from './new.ts';
import { objectsCommand } from './objects.ts';
import { planCommand } from './plan.ts';
import { proposeCommand } from './propose.ts';
import { queryCommand } from './query.ts';
import { resetCommand } from './reset.ts';
import { rulesCommand } from './rules.ts';
import { serviceNowCommand } from './servicenow.ts';
import { showQueryCommand } from './show-query.ts';
import { sourcesCommand } from './sources.ts';
import { statusCommand } from './status.ts';
import { stepsCommand } from './steps.ts';
import { testCommand } from './test.ts';
import { testQueryCommand } from './test-query.ts';
import { timelineCommand } from './timeline.ts';
import { validateCommand } from './validate.ts';
import { variantsCommand } from './variants.ts';
import { whyCommand } from './why.ts';
import { workloadCommand } from './workload.ts';

/** Every command, in help order. A new command is a file and a row here. */
export const commands: readonly Command[] = [
  validateCommand,
  describeCommand,
  explainCommand,
  completeCommand,
  proposeCommand,
  sourcesCommand,
  objectsCommand,
  doctorCommand,
  showQueryCommand,
  testQueryCommand,
  testCommand,
  planCommand,
  importCommand,
  fetchCommand,
  exportCommand,
  checkCommand,
  rulesCommand,
  ciCommand,
  diffCommand,
  effectCommand,
  lineageCommand,
  mapCommand,
  queryCommand,
  analyzeCommand,
  variantsCommand,
  entitiesCommand,
  timelineCommand,
  stepsCommand,
  activitiesCommand,
  workloadCommand,
  batchesCommand,
  whyCommand,
  findingsCommand,
  statusCommand,
  newCommand,
  resetCommand,
  copyCommand,
  deleteCommand,
  exportConfigCommand,
  importConfigCommand,
  serviceNowCommand,
  mcpCommand,
];
