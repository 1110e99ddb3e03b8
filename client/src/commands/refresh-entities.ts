import type { Command } from './command.ts';

/** Reads the list of entity graphs again. */
export const refreshEntities: Command = ({ entities }) => Promise.resolve(entities.refresh());
