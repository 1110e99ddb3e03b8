import type { HttpClient } from '../../http/http-client.ts';
import { defaultRetryPolicy, type RetryPolicy } from '../../http/with-retries.ts';
import { aggregateApi, type AggregateApi } from './aggregate-api.ts';
import { attachmentApi, type AttachmentApi } from './attachment-api.ts';
import { createPlatform } from './call-platform.ts';
import { importSetApi, type ImportSetApi } from './import-set-api.ts';
import { scriptedApi, type ScriptedApi } from './scripted-api.ts';
import { tableApi, type TableApi } from './table-api.ts';

/** Every REST interface of an instance. Reads are repeated when they fail transiently, writes only when they did not run. */
export interface ServiceNowClient {
  readonly tables: TableApi;
  readonly aggregates: AggregateApi;
  readonly attachments: AttachmentApi;
  readonly importSets: ImportSetApi;
  readonly scripted: ScriptedApi;
  readonly http: HttpClient;
  close(): void;
}

export interface ServiceNowClientOptions {
  /** `v1` or `v2`; the newest when not given. */
  readonly version?: string;
  /** Whether tables and figures are read across domains. */
  readonly queryNoDomain?: boolean;
  readonly retryPolicy?: RetryPolicy;
}

export function createServiceNowClient(http: HttpClient, options: ServiceNowClientOptions = {}): ServiceNowClient {
  const platform = createPlatform(http, {
    version: options.version,
    queryNoDomain: options.queryNoDomain,
    retryPolicy: options.retryPolicy ?? defaultRetryPolicy,
  });
  const tables = tableApi(platform);
  return {
    tables,
    aggregates: aggregateApi(platform),
    attachments: attachmentApi(platform),
    importSets: importSetApi(platform, tables),
    scripted: scriptedApi(platform),
    http,
    close: () => http.close(),
  };
}
