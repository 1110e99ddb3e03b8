import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Diagnosis, DiagnosisStep } from '../../../../protocol/diagnosis.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Connector, OperationOptions, HostAddress } from '../../connectors/connector.ts';
import { type SourceErrorCode, isSourceError } from '../../connectors/source-error.ts';
import { dataSourceNamed, entriesWithRows } from '../../model/data-sources-used.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { referenceNames } from '../../model/value-references.ts';
import {
  type ProjectContext,
  type SourcesFile,
  connectorOf,
  describeSource,
  findSource,
  readGraphFile,
} from '../../project/open-project.ts';
import { buildObjectQuery } from '../../query/object-query.ts';
import { toFailure } from '../operation-error.ts';
import { graphsBelow } from '../../project/find-source-uses.ts';
import { notAllowed, reachesSources } from '../../project/without-reach.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';

/** `onProgress` is called with each step that contacts the source. */
type DiagnosisOptions = Pick<OperationOptions, 'onProgress'> & { readonly signal: AbortSignal };

/**
 * Diagnoses a data source: settings and secrets, network, credentials, versions, permissions, and reading of rows.
 * Rejects only when aborted.
 */
export async function diagnoseSource(
  sourcesFile: SourcesFile,
  dataSource: string,
  projectContext: ProjectContext,
  { signal, onProgress }: DiagnosisOptions,
): Promise<Diagnosis> {
  const start = performance.now();
  const checks: DiagnosisStep[] = [];
  const diagnosis = (objects?: number): Diagnosis => ({
    checks,
    durationMs: performance.now() - start,
    objects,
  });
  /** Undefined after a failure, which is then the last step. */
  async function attempt<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const { message, remedy } = toFailure(error, signal);
      const known = isSourceError(error) ? namesOfFailures[error.code] : name;
      checks.push({ name: known, state: 'failed', message, ...(remedy === undefined ? {} : { remedy }) });
      return undefined;
    }
  }

  const source = await attempt('Settings', async () => findSource(sourcesFile, dataSource));
  if (!source) return diagnosis();
  checks.push(...mistakesIn(sourcesFile));
  const connector = await attempt('Settings', () => connectorOf(sourcesFile, source, projectContext));
  if (!connector) return diagnosis();
  try {
    const hasSecrets = referenceNames(source.settings).secrets.length > 0;
    const complete = hasSecrets ? 'They are complete, and every secret has a value.' : 'They are complete.';
    checks.push({ name: 'Settings', state: 'ok', message: complete });
    if (!reachesSources(projectContext)) {
      const { message, details } = notAllowed(dataSource);
      checks.push({
        name: 'Network',
        state: 'warning',
        message: `Not contacted. ${message}`,
        ...(details.remedy !== undefined && { remedy: details.remedy }),
      });
      return diagnosis();
    }
    if (connector.address) {
      onProgress?.(`Connecting to ${connector.address.host}:${connector.address.port}`);
      const reached = await reachHost(connector.address, signal);
      checks.push(reached);
      if (reached.state === 'failed') return diagnosis();
    }
    const used = await findUsedObjects(sourcesFile.path, dataSource, projectContext);
    if (connector.diagnose) {
      onProgress?.('Checking credentials and permissions');
      const facts = await attempt('Service', async () => connector.diagnose?.({ signal, onProgress, used }));
      if (!facts) return diagnosis();
      checks.push(...facts);
    }
    onProgress?.('Reading the data objects');
    const catalog = await attempt('Data Objects', () =>
      describeSource(sourcesFile, source, connector, projectContext, { signal, onProgress }),
    );
    if (!catalog) return diagnosis();
    checks.push(...catalogSteps(catalog, used));
    const rows = await attempt('Rows', () => readFirst(connector, catalog, { signal, onProgress, used }));
    if (rows) checks.push(rows);
    return diagnosis(catalog.objects.length);
  } finally {
    await connector.close();
  }
}

/** The settings of an invalid file may be incomplete. */
function mistakesIn({ path, text, problems: [mistake] }: SourcesFile): readonly DiagnosisStep[] {
  if (!mistake) return [];
  const line = createLineIndex(text).range(mistake.range).start.line + 1;
  return [
    {
      name: 'Settings',
      state: 'warning',
      message: `${basename(path)} has a mistake in line ${line}: ${mistake.message}`,
      remedy: 'Fix it first: the text around it may be read differently than intended.',
    },
  ];
}

/** The diagnosis step that a failure belongs to. */
const namesOfFailures: Readonly<Record<SourceErrorCode, string>> = {
  'source-config': 'Settings',
  'unknown-time-zone': 'Settings',
  'secret-missing': 'Settings',
  'secret-not-allowed': 'Settings',
  'environment-variable-missing': 'Settings',
  'not-allowed': 'Settings',
  'paging-unclear': 'Settings',
  'source-unreachable': 'Network',
  'connection-lost': 'Network',
  'tls-failed': 'Encryption',
  'authentication-failed': 'Credentials',
  'permission-denied': 'Permissions',
  'source-incomplete': 'Permissions',
  'statement-timeout': 'Service',
  'statement-too-large': 'Service',
  'source-failed': 'Service',
  'outcome-unknown': 'Service',
  'object-missing': 'Data Objects',
  'source-empty': 'Data Objects',
  'column-missing': 'Rows',
  'type-mismatch': 'Rows',
  'sql-error': 'Rows',
  'disk-full': 'Disk',
  'file-missing': 'Files',
  'file-unreadable': 'Files',
  'file-malformed': 'Files',
};

function catalogSteps(
  { objects, warnings, unreadable = [] }: Catalog,
  used: readonly string[],
): readonly DiagnosisStep[] {
  const name = 'Data Objects';
  const columns = objects.reduce((sum, object) => sum + object.columns.length, 0);
  const found: DiagnosisStep =
    objects.length > 0
      ? {
          name,
          state: 'ok',
          message: `${objects.length.toLocaleString('en')} with ${columns.toLocaleString('en')} columns.`,
        }
      : {
          name,
          state: 'failed',
          message: 'None was found.',
          remedy:
            'Check which schemas, tables, paths or endpoints the source names, and the read permissions of its user.',
        };
  const usable = new Set(objects.filter((object) => object.columns.length > 0).map((object) => object.name));
  const missing = used.filter((each) => !usable.has(each));
  const remedy = 'If they are needed, check the names in the settings, and the user’s read permissions.';
  return [
    found,
    ...warnings.map((message): DiagnosisStep => ({ name, state: 'warning', message, remedy })),
    ...missing.map((each): DiagnosisStep => {
      const isClosed = unreadable.includes(each) || objects.some((object) => object.name === each);
      const message = `Entity graphs use ${each}, ${isClosed ? 'of which no column may be read' : 'which was not found'}: imports of them fail.`;
      return { name, state: 'failed', message, remedy: 'Correct dataObject there, or the user’s read permissions.' };
    }),
  ];
}

/** Reads one row of the first data object with columns, preferably one used by a graph. */
async function readFirst(
  connector: Connector,
  catalog: Catalog,
  { signal, onProgress, used }: DiagnosisOptions & { readonly used: readonly string[] },
): Promise<DiagnosisStep | undefined> {
  const objects = catalog.objects.filter(({ columns }) => columns.length > 0);
  const object = objects.find(({ name }) => used.includes(name)) ?? objects[0];
  const query = object && buildObjectQuery(object.name, catalog);
  if (!query) return undefined;
  onProgress?.(`Reading a row of ${object.name}`);
  const { rows, durationMs } = await connector.preview(query, { limit: 1, signal });
  const time = `in ${Math.round(durationMs)} ms`;
  return rows.length > 0
    ? { name: 'Rows', state: 'ok', message: `The first row of ${object.name} came ${time}.` }
    : { name: 'Rows', state: 'warning', message: `${object.name} answers ${time}, and has no row.` };
}

/** Names of the data objects of a source used by entity graphs, unsaved text first; unreadable graphs are skipped. */
async function findUsedObjects(
  sourcesPath: string,
  dataSource: string,
  projectContext: ProjectContext,
): Promise<readonly string[]> {
  const paths = await graphsBelow(sourcesPath, projectContext.workspaceFolderOf).catch(() => []);
  const used = new Set<string>();
  for (const path of paths) {
    const file = await readGraphFile(path, projectContext).catch(() => undefined);
    if (!file) continue;
    const { graph } = await readGraphText(file.text);
    for (const entry of entriesWithRows(graph)) {
      if (entry.dataObject && dataSourceNamed(graph, entry) === dataSource) used.add(entry.dataObject.value);
    }
  }
  return [...used];
}

const patienceMs = 5_000;

/** Checks name resolution and connection to a host separately, because their remedies differ. Rejects when aborted. */
async function reachHost({ host, port, proxy }: HostAddress, signal: AbortSignal): Promise<DiagnosisStep> {
  const name = 'Network';
  if (proxy !== undefined) return { name, state: 'ok', message: `Requests go through the proxy ${proxy}.` };
  const addresses = await lookup(host, { all: true }).catch(() => []);
  signal.throwIfAborted();
  const [first] = addresses;
  if (!first) {
    return {
      name,
      state: 'failed',
      message: `No address is known for ${host}.`,
      remedy: 'Check the spelling of the host, and whether a VPN has to be on.',
    };
  }
  const outcome = await tryToConnect(host, port, signal);
  if (outcome === 'connected') return { name, state: 'ok', message: `${host}:${port} takes connections.` };
  const where = first.address === host ? host : `${host} (${first.address})`;
  return {
    name,
    state: 'failed',
    message:
      outcome === 'refused'
        ? `${where} refuses connections on port ${port}.`
        : `${where} does not answer on port ${port} within ${patienceMs / 1000} s.`,
    remedy:
      outcome === 'refused'
        ? 'Check the port, and whether the server is running and listens on this address.'
        : 'Check whether a firewall or a VPN is in between.',
  };
}

function tryToConnect(host: string, port: number, signal: AbortSignal): Promise<'connected' | 'refused' | 'silent'> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: patienceMs });
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      settle();
    };
    const abort = (): void => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', abort, { once: true });
    socket.once('connect', () => end(() => resolve('connected')));
    socket.once('timeout', () => end(() => resolve('silent')));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(() =>
        resolve(code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH' ? 'silent' : 'refused'),
      ),
    );
  });
}
