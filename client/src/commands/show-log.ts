import type { Command } from './command.ts';

/** Opens the log of the extension and its server. */
export const showLog: Command = async ({ log }) => log.show();
