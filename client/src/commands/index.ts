import { type CommandId, commandIds } from '../command-ids.ts';
import type { Command } from './command.ts';
import { forgetSecret } from './forget-secret.ts';
import { importGraph } from './import.ts';
import { openCanvas, openCanvasToSide } from './open-canvas.ts';
import { openText } from './open-text.ts';
import { refreshCatalog } from './refresh-catalog.ts';
import { reopenAsText } from './reopen-as-text.ts';
import { setSecret } from './set-secret.ts';
import { showLog } from './show-log.ts';
import { showQuery } from './show-query.ts';
import { testQuery } from './test-query.ts';

/** What each command of `package.json` does. */
export const commandTable: Readonly<Record<CommandId, Command>> = {
  [commandIds.testQuery]: testQuery,
  [commandIds.showQuery]: showQuery,
  [commandIds.import]: importGraph,
  [commandIds.openCanvas]: openCanvas,
  [commandIds.openCanvasToSide]: openCanvasToSide,
  [commandIds.reopenAsText]: reopenAsText,
  [commandIds.openText]: openText,
  [commandIds.refreshCatalog]: refreshCatalog,
  [commandIds.setSecret]: setSecret,
  [commandIds.forgetSecret]: forgetSecret,
  [commandIds.showLog]: showLog,
};
