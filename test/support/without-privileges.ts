import type { CliOptions } from './run-cli.ts';

/** Root ignores permissions; without these two capabilities they apply. */
export const withoutPrivileges: Pick<CliOptions, 'wrapper'> =
  process.getuid?.() === 0 ? { wrapper: ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] } : {};
