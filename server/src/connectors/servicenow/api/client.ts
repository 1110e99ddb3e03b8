import type { HttpClient } from '../../http/http-client.ts';
import { defaultRetryPolicy, type RetryPolicy } from '../../http/with-retries.ts';
import { aggregateApi, type AggregateApi } from './aggregate-api.ts';
import { attachmentApi, type AttachmentApi, type FormUpload } from './attachment-api.ts';
import { createPlatform } from './call-platform.ts';
import { importSetApi, type ImportSetApi } from './import-set-api.ts';
import { scriptedApi, type ScriptedApi } from './scripted-api.ts';
import { tableApi, type TableApi } from './table-api.ts';

/** All REST APIs of an instance. Reads are retried after transient failures, writes only if they were not executed. */
export interface ServiceNowClient {
  readonly tables: TableApi;
  readonly aggregates: AggregateApi;
  readonly attachments: AttachmentApi;
  readonly importSets: ImportSetApi;
  readonly scripted: ScriptedApi;
  readonly http: HttpClient;
  close(): void;
}

interface ServiceNowClientOptions {
  /** `v1` or `v2`; default: the latest. */
  readonly version?: string | undefined;
  /** Whether tables and aggregates include all domains. */
  readonly queryNoDomain?: boolean | undefined;
  /** Path of uploads as a form; default: `file`. */
  readonly formUpload?: FormUpload | undefined;
  readonly retryPolicy?: RetryPolicy | undefined;
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
    attachments: attachmentApi(platform, options.formUpload ?? 'file'),
    importSets: importSetApi(platform, tables),
    scripted: scriptedApi(platform),
    http,
    close: () => http.close(),
  };
}
