import { databaseServerSettings } from '../database-server/setting-receivers.ts';
import { readPostgresqlConfig } from './read-settings.ts';

/** The settings and who receives them. */
export const postgresqlSettings = databaseServerSettings('postgresql', readPostgresqlConfig);
