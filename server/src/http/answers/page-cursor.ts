import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'

const cursorNames = ['last_evaluated_key', 'lastEvaluatedKey'] as const
const cursor = z.string().nullable().meta({ description: 'The same as in meta; null on the last page.' })

/** Repeats the cursor of every paged list, which stands in `meta`, at the top level of the response. */
export function registerPageCursor(app: App): void {
  app.addHook('onRoute', (route) => {
    const name = cursorNameOf(route)
    if (name === undefined) return
    const { handler } = route
    route.handler = async function withCursor(request, reply) {
      const page: unknown = await handler.call(this, request, reply)
      return isPage(page) ? { ...page, [name]: page.meta[name] } : page
    }
  })
}

const isPage = (value: unknown): value is { meta: Record<string, unknown> } =>
  typeof value === 'object' && value !== null && 'meta' in value && typeof value.meta === 'object'

/** Also adds the field to the route's response schema, which both the serialiser and the reference read. */
function cursorNameOf(route: RouteOptions): (typeof cursorNames)[number] | undefined {
  const { querystring, response } = (route.schema ?? {}) as { querystring?: unknown; response?: unknown } // Zod schemas, checked below
  const answers = (response ?? {}) as Record<number, unknown> // a map of schemas by status
  const answer = answers[200]
  if (route.method !== 'GET' || !(querystring instanceof z.ZodObject) || !(answer instanceof z.ZodObject))
    return undefined
  const meta: unknown = answer.shape['meta']
  const name = cursorNames.find(
    (one) => one in querystring.shape && meta instanceof z.ZodObject && one in meta.shape,
  )
  if (name !== undefined) answers[200] = answer.extend({ [name]: cursor })
  return name
}
