/** What every page is given: the parts of the path after its own, and the query. */
export interface PageProps {
  /** For `/assess/17` it is ['17']. */
  rest: string[];
  query: URLSearchParams;
}
