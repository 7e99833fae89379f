/**
 * Where a page is written: a document without an origin, so that there is no storage, no cookie and no
 * file that it could reach, and going there gives a new realm.
 */
export const blankPage = 'data:text/html,'
