/** Words that no engine takes for a column, unless they are quoted. */
export const reservedWords: ReadonlySet<string> = new Set(
  `and or not null is in like ilike similar between case when then else end true false distinct from to exists any all some
  filter over partition order by asc desc within group as cast collate nulls select where with having limit offset union except
  intersect join on using interval`.split(/\s+/),
);

/** Words of SQL that are not taken for a misspelt property, unless they are quoted. */
export const wordsOfSql: ReadonlySet<string> = new Set(
  `and or not null is in like ilike similar between case when then else end true false distinct from to escape exists any all some
  filter over partition by order asc desc within group as cast interval date time timestamp timestamptz zone at year years month months
  day days hour hours minute minutes second seconds week weeks quarter quarters epoch dow doy isodow microsecond microseconds
  millisecond milliseconds decade century current current_date current_time current_timestamp localtime localtimestamp unknown
  varchar char text string int integer smallint tinyint bigint hugeint double precision float real decimal numeric boolean bool
  collate nulls first last leading trailing both for select where with without having limit offset union except intersect
  join left right full inner outer cross on using values lambda row rows range groups unbounded preceding following exclude ties
  no others window qualify respect ignore mod div glob regexp isnull notnull default array struct map list json uuid blob`.split(
    /\s+/,
  ),
);
