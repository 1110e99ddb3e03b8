import type { Command } from '../command.ts';
import { analyzeCommand } from './analyze.ts';
import { checkCommand } from './check.ts';
import { ciCommand } from './ci.ts';
import { copyCommand } from './copy.ts';
import { deleteCommand } from './delete.ts';
import { doctorCommand } from './doctor.ts';
import { diffCommand } from './diff.ts';
import { effectCommand } from './effect.ts';
import { exportConfigCommand } from './export-config.ts';
import { entitiesCommand } from './entities.ts';
import { exportCommand } from './export.ts';
import { fetchCommand } from './fetch.ts';
import { importConfigCommand } from './import-config.ts';
import { importCommand } from './import.ts';
import { mapCommand } from './map.ts';
import { newCommand } from './new.ts';
import { objectsCommand } from './objects.ts';
import { planCommand } from './plan.ts';
import { resetCommand } from './reset.ts';
import { rulesCommand } from './rules.ts';
import { serviceNowCommand } from './servicenow.ts';
import { showQueryCommand } from './show-query.ts';
import { statusCommand } from './status.ts';
import { testCommand } from './test.ts';
import { testQueryCommand } from './test-query.ts';
import { validateCommand } from './validate.ts';
import { variantsCommand } from './variants.ts';
import { whyCommand } from './why.ts';

/** Every command, in help order. A new command is a file and a row here. */
export const commands: readonly Command[] = [
  validateCommand,
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
  mapCommand,
  analyzeCommand,
  variantsCommand,
  entitiesCommand,
  whyCommand,
  statusCommand,
  newCommand,
  resetCommand,
  copyCommand,
  deleteCommand,
  exportConfigCommand,
  importConfigCommand,
  serviceNowCommand,
];
