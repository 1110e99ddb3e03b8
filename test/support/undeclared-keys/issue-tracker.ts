import { type Cells, chance, csv, day, each, hour, isoTime } from './table-files.ts';

/** Nine tables of an issue tracker's export, in the style of Jira's database, with rows made up here. Measured only, never tuned on. */
export function issueTracker(): Readonly<Record<string, string>> {
  const { below, of } = chance(77);
  const start = Date.UTC(2024, 0, 8, 7);
  const users = each(25, (number) => `u-${(number * 7919).toString(16)}`);
  const projects = [
    ['PAY', 'Payments', users[2]],
    ['WEB', 'Website', users[5]],
    ['OPS', 'Operations', users[1]],
    ['APP', 'Mobile', users[9]],
  ] as const;
  const sprints = each(24, (number): Cells => [
    300 + number,
    `Sprint ${number}`,
    isoTime(start + number * 7 * day),
    number > 22 ? '' : isoTime(start + (number + 2) * 7 * day),
    isoTime(start + (number + 2) * 7 * day),
  ]);
  const labels = ['backend', 'ui', 'security', 'regression', 'customer', 'flaky', 'infra', 'docs'].map(
    (name, at): Cells => [at + 1, name],
  );
  const comments: Cells[] = [];
  const work: Cells[] = [];
  const links: Cells[] = [];
  const changes: Cells[] = [];
  const tagged: Cells[] = [];
  const counters = new Map<string, number>();
  const keys: string[] = [];
  const issues = each(300, (number): Cells => {
    const [project] = of(projects);
    const next = (counters.get(project) ?? 0) + 1;
    counters.set(project, next);
    const key = `${project}-${next}`;
    const created = start + number * 9 * hour + below(9000) * 1000;
    const isDone = number < 260 && below(6) > 0;
    const resolved = created + (10 + below(300)) * hour;
    each(below(4), () =>
      comments.push([
        900_000 + comments.length * 3,
        key,
        of(users),
        `Text ${comments.length}`,
        isoTime(created + below(200) * hour),
      ]),
    );
    each(below(3), () =>
      work.push([70_000 + work.length, key, of(users), isoTime(created + below(200) * hour), 900 * (1 + below(20))]),
    );
    ['In Progress', 'In Review', 'Done']
      .slice(0, isDone ? 3 : below(3))
      .forEach((to, step) =>
        changes.push([
          500_000 + changes.length,
          key,
          of(users),
          isoTime(created + (step + 1) * ((resolved - created) / 4)),
          'status',
          ['Open', 'In Progress', 'In Review'][step],
          to,
        ]),
      );
    const earlier = keys.at(-1 - below(8));
    if (earlier !== undefined && below(4) === 0)
      links.push([links.length + 1, key, earlier, of(['blocks', 'relates to', 'duplicates'])]);
    for (const label of new Set(each(below(3), () => 1 + below(8)))) tagged.push([key, label]);
    keys.push(key);
    return [
      key,
      project,
      of(['Bug', 'Story', 'Task']),
      `Summary ${number}`,
      of(['Low', 'Medium', 'High']),
      isDone ? 'Done' : 'Open',
      of(users),
      below(9) === 0 ? '' : of(users),
      isoTime(created),
      isoTime(created + 400 * hour),
      isDone ? isoTime(resolved) : '',
      below(5) === 0 ? isoTime(created + 30 * day).slice(0, 10) : '',
      below(3) === 0 ? '' : 301 + below(24),
    ];
  });
  return {
    'issues.csv': csv(
      'issue_key,project,issue_type,summary,priority,status,reporter,assignee,created,updated,resolved,due_date,sprint',
      issues,
    ),
    'projects.csv': csv('project_key,name,lead', projects),
    'users.csv': csv(
      'account,display_name',
      users.map((user, at) => [user, `User ${at}`]),
    ),
    'comments.csv': csv('comment_id,issue,author,body,created', comments),
    'worklogs.csv': csv('worklog_id,issue,author,started,seconds', work),
    'changelog.csv': csv('change_id,issue,author,changed_at,field,from_value,to_value', changes),
    'issue_links.csv': csv('link_id,source_issue,target_issue,link_type', links),
    'issue_labels.csv': csv('issue,label_id', tagged),
    'labels.csv': csv('label_id,label', labels),
    'sprints.csv': csv('sprint_id,name,started,completed,planned_end', sprints),
  };
}
