/** A CSV file as the body of a request, for operations that accept one instead of JSON. */
export class CsvFile {
  readonly content: string

  constructor(content: string) {
    this.content = content
  }
}
