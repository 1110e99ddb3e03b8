import { logFileSettings } from '../log-file/config.ts';

export const ocelSettings = logFileSettings('ocel');
