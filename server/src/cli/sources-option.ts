import { resolve } from 'node:path';
import { SourceError } from '../connectors/source-error.ts';
import { type SourcesFile, findSources, readSourcesFile } from '../project/open-project.ts';
import type { Invocation, OptionSpec } from './command.ts';

export const sourcesOption: OptionSpec = {
  name: 'sources',
  value: 'FILE',
  help: 'The entity-sources file (default: the nearest one)',
};

/** The sources file of the option, else the one that applies to a graph at `beside` (default: the current folder). */
export async function chosenSources(
  { options, projectContext }: Invocation,
  beside = 'any.entity.yaml',
): Promise<SourcesFile> {
  const given = options['sources'];
  const sourcesFile =
    given === undefined
      ? await findSources(resolve(beside), projectContext)
      : await readSourcesFile(resolve(given), projectContext);
  if (sourcesFile) return sourcesFile;
  throw new SourceError('source-config', 'No entity-sources.yaml was found here or above.', {
    remedy: 'Name it with --sources FILE.',
  });
}
