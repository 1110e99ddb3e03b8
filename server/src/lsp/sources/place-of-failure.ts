import type { Failure } from '../../../../protocol/query-results.ts';
import { rangeOfFiles } from '../../language/checks/source-incomplete.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';
import type { SourcesFile } from '../../project/open-project.ts';

/** A failure with its place in the data sources file, if a file is missing: nothing else can be opened. */
export function withPlace(failure: Failure, { path, text }: SourcesFile, source: DataSource): Failure {
  if (failure.code !== 'file-missing') return failure;
  const { yaml } = parseDataSources(text);
  return { ...failure, file: path, range: createLineIndex(text).range(rangeOfFiles(yaml, source)) };
}
