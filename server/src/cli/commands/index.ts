import type { Command } from '../command.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { objectsCommand } from './objects.ts';
import { showQueryCommand } from './show-query.ts';
import { statusCommand } from './status.ts';
import { testQueryCommand } from './test-query.ts';
import { validateCommand } from './validate.ts';

/** Every command, in the order of the help. A new one is a file and a row. */
export const commands: readonly Command[] = [
  validateCommand,
  objectsCommand,
  showQueryCommand,
  testQueryCommand,
  importCommand,
  exportCommand,
  statusCommand,
];
