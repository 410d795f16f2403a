import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { exampleId, standardError } from '../../lib/requests/wire.ts'
import type { App } from '../app.ts'

/** Documents 404 for every route with an id in its path, because an id of another form names nothing. */
export function registerPathIds(app: App): void {
  app.addHook('onRoute', (route) => {
    const { params, response } = (route.schema ?? {}) as { params?: unknown; response?: object } // Zod schemas, checked here
    if (params instanceof z.ZodObject && response && !('404' in response))
      Object.assign(response, { 404: standardError })
  })
}

/** The router found a path of the API, so an id that no resource can have means that the resource is unknown. */
export const unknownId = (): AppError =>
  new AppError('NOT_FOUND', 404, `Nothing has this id. Check the ids in the path, such as ${exampleId}.`)
