import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { csvText, csvType } from '../../lib/text/csv.ts'
import type { App } from '../app.ts'
import { maskFor } from './mask-answers.ts'

const pageRows = 100
/** Ten million rows. A longer export fails instead of ending as if it were complete. */
const pagesLimit = 100_000
const cursorNames = ['last_evaluated_key', 'lastEvaluatedKey'] as const

interface ListRoute {
  cursorName: (typeof cursorNames)[number]
  columns: string[]
}

/** Payment links have no `meta`, so their cursor stands beside the data. */
const pageSchema = z.looseObject({
  data: z.array(z.record(z.string(), z.unknown())),
  meta: z.record(z.string(), z.unknown()).optional(),
})
type ListPage = z.infer<typeof pageSchema>

/**
 * Returns every paged list as CSV when the caller accepts text/csv, with the same filters and permissions. Pages
 * are read only as fast as the caller receives them.
 */
export function registerCsvExport(app: App): void {
  app.addHook('onRoute', (route) => {
    const list = listRouteOf(route)
    const { handler } = route
    if (!list) return
    // The reference describes the export with its columns.
    Object.assign(route.schema ?? {}, { 'x-switchyard-csv-columns': list.columns })
    route.handler = async function exportable(request, reply) {
      if (!acceptsCsv(request)) return handler.call(this, request, reply)
      const read = async (cursor: unknown): Promise<ListPage> => {
        const query = request.query as object // parsed by the route's own schema, which is an object
        request.query = {
          ...query,
          limit: pageRows,
          ...(cursor !== undefined && { [list.cursorName]: cursor }),
        }
        return pageSchema.parse(maskFor(request, await handler.call(this, request, reply)))
      }
      // The first page is read before the response starts, so that an error is still rendered as JSON.
      return sendCsv(reply, list, await read(undefined), read)
    }
  })
}

function listRouteOf(route: RouteOptions): ListRoute | undefined {
  const { querystring, response } = (route.schema ?? {}) as { querystring?: unknown; response?: unknown } // Zod schemas, checked below
  const answer = (response as Record<number, unknown> | undefined)?.[200] // a map of schemas by status
  if (route.method !== 'GET' || !(querystring instanceof z.ZodObject) || !(answer instanceof z.ZodObject))
    return undefined
  const cursorName = cursorNames.find((name) => name in querystring.shape)
  const rows: unknown = answer.shape['data']
  if (cursorName === undefined || !(rows instanceof z.ZodArray) || !(rows.element instanceof z.ZodObject))
    return undefined
  return { cursorName, columns: Object.keys(rows.element.shape) }
}

const acceptsCsv = (request: FastifyRequest): boolean =>
  (request.headers.accept ?? '').split(',').some((type) => /^text\/csv\s*(?:;|$)/.test(type.trim()))

function sendCsv(
  reply: FastifyReply,
  list: ListRoute,
  first: ListPage,
  read: (cursor: unknown) => Promise<ListPage>,
): FastifyReply {
  async function* pages(): AsyncGenerator<ListPage['data']> {
    let page = first
    for (let count = 0; count < pagesLimit; count++) {
      yield page.data
      const cursor = (page.meta ?? page)[list.cursorName]
      if (typeof cursor !== 'string') return
      page = await read(cursor)
    }
    throw new Error('the CSV export has more pages than the limit')
  }
  return reply
    .type(csvType)
    .header('content-disposition', 'attachment; filename="export.csv"')
    .send(Readable.from(csvText(list.columns, pages())))
}
