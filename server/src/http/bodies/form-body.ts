import { AppError, validationError } from '../../lib/errors.ts'
import type { App } from '../app.ts'

/** Parses HTML forms on the routes that declare `takesForm`; every other route refuses them. */
export function registerFormBody(app: App): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body, done) => {
      if (request.routeOptions.config.takesForm !== true)
        return done(new AppError('UNSUPPORTED_MEDIA_TYPE', 415, 'Send the body as application/json.'))
      const fields = Object.fromEntries(new URLSearchParams(String(body)))
      // Postgres cannot store NUL characters.
      if (Object.values(fields).some((value) => value.includes('\0')))
        return done(validationError('The form has a NUL character.'))
      done(null, fields)
    },
  )
}
