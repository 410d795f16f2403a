import type { z } from 'zod'
import { apiRoutes } from '../../src/main/routes.ts'
import { registerEveryRoute } from './every-route.ts'
import type { TestApp } from '../app/test-app.ts'

/** A Zod schema by which a route validates a part of its requests. */
export interface RequestSchema {
  /** For example `POST /v1/beneficiaries body`. */
  name: string
  method: string
  path: string
  part: 'body' | 'querystring' | 'params'
  isPublic: boolean
  schema: z.core.$ZodType
}

const parts = ['body', 'querystring', 'params'] as const

/** The request schemas of every route that the server registers. */
export async function collectSchemas(t: TestApp): Promise<RequestSchema[]> {
  const found: RequestSchema[] = []
  await registerEveryRoute(t, (server) => {
    server.addHook('onRoute', ({ method, url: path, schema, config }) => {
      for (const part of parts)
        if (schema?.[part])
          found.push({
            name: `${String(method)} ${path} ${part}`,
            method: String(method),
            path,
            part,
            isPublic: config?.access?.permission === 'public',
            schema: schema[part] as z.core.$ZodType, // every schema of ours is Zod's
          })
    })
    apiRoutes(t.deps)(server)
  })
  return found
}
