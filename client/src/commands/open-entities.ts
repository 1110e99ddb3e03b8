import type { Command } from './command.ts';

/** Opens the table of all entity graphs. */
export const openEntities: Command = ({ entitiesPanel }) => Promise.resolve(entitiesPanel.open());
