import { createHash } from 'node:crypto';
import { type Cells, chance, csv, each, hour, isoTime } from './table-files.ts';

/**
 * The log of a Git repository as tables: commits, people, files, and what each commit changed in which file (a table between the
 * two), tags. Rows are made up; hashes are real SHA-1 values.
 */
export function gitLog(): Readonly<Record<string, string>> {
  const { below, of } = chance(40);
  const people = each(14, (number) => [`dev${number}@example.org`, `Developer ${number}`] as const);
  const files = each(90, (number): Cells => {
    const path = `${of(['src', 'test', 'docs', 'lib/core'])}/module-${number}.${of(['ts', 'md', 'json'])}`;
    return [path, path.slice(path.lastIndexOf('.') + 1), 20 + below(900)];
  });
  const touched: Cells[] = [];
  const parents: Cells[] = [];
  const hashes: string[] = [];
  const commits = each(500, (number): Cells => {
    const hash = createHash('sha1').update(`commit ${number}`).digest('hex');
    const authored = Date.UTC(2024, 1, 1) + number * 5 * hour + below(9000) * 1000;
    const [author] = of(people);
    const committer = below(8) === 0 ? of(people)[0] : author;
    for (const file of new Set(each(1 + below(5), () => of(files)[0])))
      touched.push([hash, file, below(200), below(80)]);
    const parent = hashes.at(-1);
    if (parent !== undefined) parents.push([hash, parent]);
    const older = hashes.at(-7);
    if (older !== undefined && number % 12 === 0) parents.push([hash, older]);
    hashes.push(hash);
    return [
      hash,
      author,
      isoTime(authored),
      committer,
      isoTime(authored + below(50) * 60_000),
      `Change ${number} of ${of(['parser', 'docs', 'tests'])}`,
    ];
  });
  const tags = each(12, (number): Cells => [
    `v1.${number}.0`,
    hashes[number * 40],
    isoTime(Date.UTC(2024, 1, 1) + number * 202 * hour),
  ]);
  return {
    'commits.csv': csv('hash,author_email,authored_at,committer_email,committed_at,subject', commits),
    'people.csv': csv('email,name', people),
    'files.csv': csv('path,extension,lines', files),
    'commit_files.csv': csv('commit,file,added,removed', touched),
    'commit_parents.csv': csv('commit,parent', parents),
    'tags.csv': csv('tag,target,tagged_at', tags),
  };
}
