import type { DiagnosisStep } from '../../../../protocol/diagnosis.ts';
import type { OperationOptions } from '../connector.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import type { Cluster } from './preview.ts';
import type { TrinoConfig } from './read-settings.ts';
import { openSession } from './session.ts';

/** Diagnosis of user, catalog, version, workers and encryption. Rejects with a `SourceError`. */
export async function diagnose(cluster: Cluster, { signal }: OperationOptions): Promise<readonly DiagnosisStep[]> {
  const { config } = cluster;
  const session = openSession({ ...cluster, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  const [row = []] = await session.rows('SELECT version(), current_user', { signal });
  const [version, user] = row.map(String);
  const catalogs = await session.rows('SHOW CATALOGS', { signal });
  return [
    { name: 'Credentials', state: 'ok', message: `Statements run as ${user ?? ''}.` },
    catalogStep(config, new Set(catalogs.map(([name]) => String(name)))),
    versionStep(version ?? ''),
    encryption(config),
  ];
}

function catalogStep({ catalog, others }: TrinoConfig, found: ReadonlySet<string>): DiagnosisStep {
  const name = 'Catalogs';
  const wanted = [...new Set([catalog, ...others.map((part) => part.catalog)])];
  const missing = wanted.filter((each) => !found.has(each));
  if (missing.length === 0) return { name, state: 'ok', message: `The cluster has ${wanted.join(', ')}.` };
  return {
    name,
    state: 'failed',
    message: `The cluster has no catalog ${missing.join(', ')}, or the user may not see it.`,
    remedy: `Correct catalog and catalogs of the data source; there are ${[...found].join(', ')}.`,
  };
}

/** https://trino.io/docs/current/release.html: `PARAMETRIC_DATETIME` is older, `json_format` of rows as objects is 458. */
const oldest = 458;

function versionStep(version: string): DiagnosisStep {
  const name = 'Version';
  const number = Number(/^\d+/.exec(version)?.[0] ?? NaN);
  return number < oldest
    ? { name, state: 'warning', message: `Trino ${version} is older than what this is made for (${oldest}).` }
    : { name, state: 'ok', message: `Trino ${version}.` };
}

function encryption({ baseUrl }: TrinoConfig): DiagnosisStep {
  const name = 'Encryption';
  return baseUrl.protocol === 'https:'
    ? { name, state: 'ok', message: 'The connection is encrypted, and the certificate of the server is checked.' }
    : {
        name,
        state: 'warning',
        message: 'The connection is not encrypted.',
        remedy: 'Across a network, set ssl: true if the server offers it.',
      };
}
