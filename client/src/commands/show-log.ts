import type { Command } from './command.ts';

/** Opens what the extension and its server have written down. */
export const showLog: Command = async ({ log }) => log.show();
