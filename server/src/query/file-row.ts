/**
 * The column that a file's view carries on request: a number that grows with the place of the row in the file. A query
 * asks for it by `roles.rowOrder`, where joins or subqueries could lose the order in which rows are read.
 */
export const fileRowColumn = '__file_row';
