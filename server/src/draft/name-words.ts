/** The words of a name in lower case: `case:concept:name`, `jobNo`, `SR Number` and `opened_at` all have them. */
export function nameWords(name: string): readonly string[] {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The part of a name before its first colon, such as `case` of `case:concept:name`. */
export function scopeOf(name: string): string | undefined {
  const [scope, ...rest] = name.split(':');
  return rest.length > 0 && scope !== '' ? scope : undefined;
}

/** Meanings of columns by the words of their names. A pattern must match a whole word. */
const senses = {
  /** Identifies something. */
  identifier: /^(?:id|ids|no|nr|num|number|key|code|uuid|guid|\p{L}*(?:nummer|number|nr|id))$/u,
  /** Something that goes through a process. */
  caseLike:
    /^(?:case|ticket|incident|order|request|number|visit|claim|job|process|instance|trace|application|sr|number|invoice|loan|\p{L}*(?:auftrag|vorgangs|bestell|rechnungs|antrags|fall)\p{L}*)$/u,
  activity: /^(?:activity|aktivität|action|step|task|operation|vorgang|event|eventtype|transition|schritt|milestone)$/u,
  state: /^(?:state|status|stage|phase|zustand)$/u,
  kind: /^(?:type|kind|art|name)$/u,
  /** Describes only a part of an activity. */
  partial: /^(?:sub|substatus|level|old|previous|prior|lifecycle|reason)$/u,
  person:
    /^(?:by|user|users|resource|agent|owner|operator|physician|doctor|nurse|staff|employee|clerk|worker|caller|customer|patient|client|person|claimant|vendor|supplier|assigned|assignee|sachbearbeiter|kunde|lieferant|requester|reporter|member|driver|author)$/u,
  organisation:
    /^(?:group|team|department|dept|div|division|org|st|line|ward|location|country|site|store|branch|region|city|plant|warehouse|queue|role|function)$/u,
  thing:
    /^(?:product|material|item|items|package|machine|equipment|asset|ci|device|vehicle|contract|policy|account|article|sku|room)$/u,
  measure:
    /^(?:amount|amt|cost|costs|price|salary|wage|distance|qty|quantity|total|sum|value|count|rate|score|weight|duration|temperature|percent|share|length|size|balance|discount|tax|betrag|preis|menge|wert|freight|latitude|longitude)$/u,
  category:
    /^(?:priority|impact|urgency|category|subcategory|severity|type|kind|class|symptom|reason|country|location|code|level|currency|language|gender|channel|status|state|medium|notify|color|colour)$/u,
  sequence: /^(?:seq|sequence|seqno|step|version|revision|rev|mod|line|position|pos|index|counter|ordinal|nr|lfd)$/u,
  /** Numbers rows, and has no other meaning. */
  surrogate: /^(?:id|row|event|log|entry|record|rowid|seq)$/u,
  log: /^(?:log|logs|history|histories|event|events|audit|trail|journal|activity|activities|changes|transitions|protokoll|verlauf|tracking)$/u,

  created:
    /^(?:create|created|creation|open|opened|start|started|starts|begin|begins|began|beginn|place|placed|register|registered|registration|report|reported|submit|submitted|received|entered|hire|hired|requested|ordered|booked|issued|raised|filed|angelegt|erfasst|erstellt|from)$/u,
  happened:
    /^(?:timestamp|time|datetime|occurred|happened|event|logged|recorded|ts|when|zeit|zeitpunkt|zeitstempel|buchungszeit|date)$/u,
  ended:
    /^(?:end|ended|ende|finish|finished|complete|completed|completion|close|closed|resolve|resolved|return|returned|ship|shipped|deliver|delivered|cancel|cancelled|canceled|paid|billed|left|terminated|approved|assessed|rejected|done|stop|stopped|abgeschlossen)$/u,
  changed:
    /^(?:update|updated|updates|modif|modified|modification|change|changed|changes|touched|geändert|sys|inserted|loaded|synced|etl)$/u,
  planned:
    /^(?:due|require|required|planned|plan|expected|scheduled|target|deadline|estimated|estimate|promised|promise|soll|eta|follow)$/u,
  /** A date that is a property, not an event of the process. */
  attribute:
    /^(?:birth|birthday|birthdate|dob|born|geburtstag|geburtsdatum|expiry|expires|expiration|until|death|graduation)$/u,
  /** Names of columns with a superior, such as `reports_to`. */
  leader: /^(?:manager|managers|manages|supervisor|supervises|boss|superior|chief|reports|vorgesetzter?)$/u,
  /** Tables that describe others rather than take part. */
  description:
    /^(?:address|addresses|city|cities|country|countries|region|regions|state|states|territory|territories|language|languages|currency|currencies|location|locations|zip|calendar)$/u,
} as const;

type WordSense = keyof typeof senses;

/** Whether some word of a name has this sense. */
export function suggests(name: string, sense: WordSense): boolean {
  return nameWords(name).some((word) => senses[sense].test(word));
}

/** Whether a name says that its numbers are times: ids, amounts and persons may have the same values. */
export function isCalledTime(name: string): boolean {
  if ((['identifier', 'measure', 'person'] as const).some((sense) => suggests(name, sense))) return false;
  const words = nameWords(name);
  return (
    (['created', 'happened', 'ended', 'changed', 'planned'] as const).some((sense) => suggests(name, sense)) ||
    words.some((word) => /^(?:at|on|epoch|unix|\p{L}*(?:date|datum|time|timestamp|zeit))$/u.test(word))
  );
}

/** Singular where that is regular: `orders` → `order`, `categories` → `category`. */
export function singular(word: string): string {
  // Short words are not plurals: `sys`, `gas`.
  if (word.length < 4) return word;
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/(?:xes|ches|shes|sses)$/.test(word)) return word.slice(0, -2);
  return word.replace(/s$/, '');
}

/** A sheet that nobody has named, in the languages of Excel. */
const defaultSheet = /^(?:sheet|tabelle|feuil|hoja|foglio|planilha|blad|ark|arkusz|list|лист)\s?\d+$/iu;

/**
 * The words of a data object's name, singular, without its schema; of the sheet of a workbook (`book/Orders`) those of
 * the sheet, unless it has the name that Excel gives.
 */
export function tableWords(table: string): readonly string[] {
  const [workbook = '', sheet = ''] = /^([^/]*)\/(.+)$/su.exec(table)?.slice(1) ?? [];
  const name = sheet === '' ? table : defaultSheet.test(sheet) ? workbook : sheet;
  return nameWords(name.slice(name.lastIndexOf('.') + 1)).map(singular);
}

/** Whether a column is called after its table, such as `order_date` in `orders`. */
export function isCalledAfter(column: string, table: string): boolean {
  const words = nameWords(column).map(singular);
  const { length } = words;
  const name = tableWords(table);
  return length > 1 && name.every((word) => words.includes(word));
}

/** Names the entity that a column identifies: `caller_id` → `caller`; `Involved ST` is unchanged. */
export function entityName(column: string): string {
  const short = column.replace(
    /(?:[_\s:-]+(?:id|ids|no|nr|num|number|key)|(?<=\p{Ll})(?:Id|ID|No|Nr|Number|Key)|(?<=\p{Ll}{3})s?nummer)$/iu,
    '',
  );
  return short === '' ? column : short;
}
