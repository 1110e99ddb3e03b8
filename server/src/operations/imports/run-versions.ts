import { version } from '../../../../package.json';

/** What a run is built with; cached rows of other versions are not used. */
export const runVersions: Readonly<Record<string, string>> = { entityGraph: version, node: process.versions.node };
