/** A yente server and how it is asked. */
export interface YenteServer {
  url: string
  /** The dataset or the collection that is searched. */
  dataset: string
  apiKey: string | undefined
  algorithm: string
  /** From this score on, the server calls a result a match. */
  threshold: number
  /** How long a search may take. */
  timeoutMs: number
}

/** What the server has indexed of a dataset. */
export interface IndexedDataset {
  /** The version, or those of all indexed parts. */
  version: string
  /** When it was exported, if its version says so. */
  exportedAt: Date | undefined
}
