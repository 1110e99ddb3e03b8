import type { GraphFilter, SavedFilters } from '../../../../protocol/event-graph.ts';
import { QuestionError } from '../../analysis/question-error.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import { readFilters, writeFilters } from '../../state/filters-file.ts';
import { OperationError } from '../operation-error.ts';
import { placeOfFile } from './entity-files.ts';

/** The saved filters of a graph by name; none without a sources file, whose folder contains them. */
export async function loadFilters(path: string, projectContext: ProjectContext): Promise<SavedFilters> {
  const place = await placeOfFile(path, projectContext);
  return place ? readFilters(place.stateFolder, place.entity) : {};
}

/** Saves a filter under a name, in place of another one, or deletes it. Rejects with a message for the user. */
export async function saveFilter(
  path: string,
  { name, filter }: { readonly name: string; readonly filter?: GraphFilter | undefined },
  projectContext: ProjectContext,
): Promise<SavedFilters> {
  const place = await placeOfFile(path, projectContext);
  if (!place) {
    throw new OperationError({
      code: 'source-config',
      message: 'Filters are saved beside entity-sources.yaml, which was not found.',
      remedy: 'Create it in the folder of the graph or above.',
      file: path,
    });
  }
  if (filter?.related !== undefined && filter.related.length > 0) {
    throw new QuestionError(
      'A condition on related entities cannot be saved: an import may give them other ids.',
      'Remove the condition.',
    );
  }
  const { [name]: _, ...others } = await readFilters(place.stateFolder, place.entity);
  const filters = filter === undefined ? others : { ...others, [name]: filter };
  await writeFilters(place.stateFolder, place.entity, filters);
  return filters;
}
