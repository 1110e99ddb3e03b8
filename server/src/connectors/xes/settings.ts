import { logFileSettings } from '../log-file/config.ts';

export const xesSettings = logFileSettings('xes');
