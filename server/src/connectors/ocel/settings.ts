import { logFileSettings } from '../log-file/log-file-settings.ts';

export const ocelSettings = logFileSettings('ocel');
