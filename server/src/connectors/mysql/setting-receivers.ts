import { databaseServerSettings } from '../database-server/setting-receivers.ts';
import { readMysqlConfig } from './read-settings.ts';

/** The settings and who receives them. */
export const mysqlSettings = databaseServerSettings('mysql', readMysqlConfig);
