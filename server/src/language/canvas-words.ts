/** Keys of the file and the names that forms and cards have for them. */
const labels: Readonly<Record<string, string>> = {
  activityName: 'Activity Name',
  activityColumn: 'Activity Column',
  dataObject: 'Data Object',
  dataObjects: 'the selected data objects',
  dataSource: 'Data Source',
  entityType: 'Entity Type',
  startTimestamp: 'Start Timestamp',
  startExpression: 'Start Expression',
  changeTimestamp: 'Change Timestamp',
  changeExpression: 'Change Expression',
  atEndOfDay: 'End of the Day',
  validFrom: 'Valid From',
  processContext: 'Process Context',
  crossTable: 'Cross Table',
  sourceMappings: 'the mappings of the source side',
  targetMappings: 'the mappings of the target side',
};

/** A quoted name, which stays unchanged, or a key. */
const quotedOrKey = new RegExp(`"[^"]*"|(?<![\\w.])(?:${Object.keys(labels).join('|')})(?!\\w|\\.\\w)`, 'g');

/** A message with the names that the canvas has for keys of the file. Quoted names are the user's, and stay. */
export function inCanvasWords(message: string): string {
  return message.replaceAll(quotedOrKey, (found) => labels[found] ?? found);
}
