import { AppError } from '../../lib/errors.ts'
import { readCsv } from '../../lib/text/read-csv.ts'
import type { App } from '../app.ts'

/** Parses CSV on the routes that declare `takesCsv`, into the body `{rows}`; every other route refuses it. */
export function registerCsvBody(app: App): void {
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (request, body, done) => {
    const rowsLimit = request.routeOptions.config.takesCsv
    if (rowsLimit === undefined)
      return done(new AppError('UNSUPPORTED_MEDIA_TYPE', 415, 'Send the body as application/json.'))
    const text = String(body)
    if (request.headers['idempotency-key'] !== undefined) request.rawBody = text
    if (text.includes('\0') || !text.isWellFormed())
      return done(new AppError('VALIDATION_ERROR', 400, 'The CSV has a NUL character or is not UTF-8.'))
    try {
      done(null, { rows: readCsv(text, rowsLimit) })
    } catch (error) {
      done(error as Error) // readCsv throws errors only
    }
  })
}
