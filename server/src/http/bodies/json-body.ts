import { parseJson } from '../../lib/text/json.ts'
import type { App } from '../app.ts'

const depthLimit = 20

/** Parses exact numbers and bounds the depth. An empty body is undefined, so that its schema reports the error. */
export function registerJsonBody(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (request.headers['idempotency-key'] !== undefined) request.rawBody = text
    try {
      done(null, text === '' ? undefined : parseJson(text, depthLimit))
    } catch (error) {
      done(error as Error) // parseJson throws errors only
    }
  })
}
