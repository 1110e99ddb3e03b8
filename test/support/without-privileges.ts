import type { CliOptions } from './run-cli.ts';

/** Root may do everything; without these two capabilities permissions hold for it as well. */
export const withoutPrivileges: Pick<CliOptions, 'wrapper'> =
  process.getuid?.() === 0 ? { wrapper: ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] } : {};
